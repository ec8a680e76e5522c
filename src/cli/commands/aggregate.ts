import type { AggregateResult, Dimension } from '../../contracts/aggregate.js'
import { type Check, decideVerdict, showValue } from '../../rules/aggregate-verdict.js'
import { aggregate } from '../../rules/aggregate.js'
import { EXIT } from '../../rules/cli-exit-codes.js'
import { readAggregateRequest } from '../aggregate-request.js'
import { type Command, textOption } from '../command.js'
import { table } from '../print.js'

export const aggregateCommand: Command = {
  path: ['aggregate'],
  summary: 'three reviews of one round → verdict and feedback; exits with 1 unless PASS; needs no server',
  arguments: [{ name: 'FILE', summary: 'JSON with the three reviews; - or nothing reads stdin', isOptional: true }],
  options: [
    { flags: '--preset <PRESET>', summary: 'thresholds and weights by name', choices: ['standard', 'strict', 'mvp'] },
    {
      flags: '--thresholds <NAME=NUMBER,…>',
      summary:
        'own ones: security_min, quality_min, performance_min, overall_min, high_max, max_iterations, stall_points',
    },
    { flags: '--weights <NAME=NUMBER,…>', summary: 'of security, quality and performance; they add up to 1' },
    { flags: '--lang <LANG>', summary: 'of the feedback', choices: ['en', 'zh'], default: 'en' },
    { flags: '--format <FORMAT>', summary: 'what to print', choices: ['json', 'markdown', 'table'], default: 'json' },
  ],
  examples: [
    'gauntlet aggregate reviews.json --preset strict --lang zh',
    'gauntlet aggregate --weights security=0.5,quality=0.3,performance=0.2 --format markdown < reviews.json',
  ],
  run: async (context, input) => {
    const { input: reviews, settings, lang } = await readAggregateRequest(context, input)
    const result = aggregate(reviews, settings, lang)
    const format = textOption(input, 'format') ?? 'json'
    return {
      exit: result.passed ? EXIT.good : EXIT.negative,
      json: result,
      text:
        format === 'markdown'
          ? result.feedback_for_code_writer
          : format === 'table'
            ? asTable(result, decideVerdict(reviews, result.issue_counts, settings).checks)
            : asJson(result),
    }
  },
}

function asJson(result: AggregateResult): string {
  return JSON.stringify(result, null, 2)
}

/** Of the exact numbers: 84.999 is not shown as the 85 it does not reach. */
function asTable({ weights, ...result }: AggregateResult, checks: readonly Check[]): string {
  const rows = checks.map((check) => {
    const isCount = check.name === 'critical' || check.name === 'high'
    const name = isCount ? `${check.name.slice(0, 1).toUpperCase()}${check.name.slice(1)}` : check.name
    const weight = check.name in weights ? `${weights[check.name as Dimension]}` : ''
    return [name, `${showValue(check)}`, `${isCount ? '<=' : '>='} ${check.limit}`, check.isMet ? 'yes' : 'no', weight]
  })
  const lines = result.inconsistencies.map(({ detail }) => `note: ${detail}`)
  return [
    `${result.recommendation}  ${result.reason}`,
    '',
    table([['CHECK', 'VALUE', 'REQUIRED', 'MET', 'WEIGHT'], ...rows]),
    '',
    ...lines,
    result.next_action,
  ].join('\n')
}
