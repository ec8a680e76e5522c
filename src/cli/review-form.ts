import { basename, resolve } from 'node:path'
import { Failure } from '../contracts/failures.js'
import { REVIEW_SEVERITIES, type ReviewSeverity } from '../rules/review/words.js'
import { readBounded } from '../tools/folder/read-bounded.js'
import { mistake } from './cli-error.js'
import { type CommandInput, type Context, textOption } from './command.js'
import { FORMS, type ReportWanted, type ReviewForm } from './review-output.js'

/** How the person wants the report: `--format` and `--fail-on`. Throws a mistake. */
export async function readReportOptions(context: Context, input: CommandInput): Promise<ReportWanted> {
  const failOn = readSeverity(textOption(input, 'failOn'))
  return { form: await readForm(context, textOption(input, 'format')), failOn, width: context.terminal.width() }
}

function readSeverity(given: string | undefined): ReviewSeverity | null {
  if (given === undefined) return null
  const found = REVIEW_SEVERITIES.find((severity) => severity.toLowerCase() === given.toLowerCase())
  if (found === undefined) throw mistake('--fail-on', `one of ${REVIEW_SEVERITIES.join(', ')}`, JSON.stringify(given))
  return found
}

const MOST_SCHEMA_BYTES = 4_000_000

/** A name, or a file with a JSON Schema of the person's own; null where nothing was said. */
async function readForm({ cwd }: Context, given: string | undefined): Promise<ReviewForm | null> {
  if (given === undefined) return null
  const known = Object.hasOwn(FORMS, given) ? FORMS[given] : undefined
  if (known !== undefined) return known
  if (!given.endsWith('.json')) {
    throw mistake(
      '--format',
      `one of ${Object.keys(FORMS).join(', ')}, or a file .json with a JSON Schema`,
      JSON.stringify(given),
    )
  }
  const bytes = await readBounded(resolve(cwd, given), MOST_SCHEMA_BYTES, `--format ${basename(given)}`)
  const { ownForm } = await import('../tools/review/fit-schema.js')
  const own = ownForm(parse(bytes.toString('utf8')))
  return (report) => own.fit(report)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Failure('Contract.Violated', '--format: expected JSON in the schema, got a text that is none', {
      cause: error,
    })
  }
}
