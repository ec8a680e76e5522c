import { basename, resolve } from 'node:path'
import { Failure } from '../contracts/failures.js'
import { readBounded } from '../tools/folder/read-bounded.js'
import { mistake } from './cli-error.js'
import type { Context } from './command.js'
import { FORMS, type ReviewForm } from './review-output.js'

const MOST_SCHEMA_BYTES = 4_000_000

/** `--format`: a name, or a file with a JSON Schema of the person's own; null where nothing was said. Throws a mistake before anything is started. */
export async function readForm({ cwd }: Context, given: string | undefined): Promise<ReviewForm | null> {
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
