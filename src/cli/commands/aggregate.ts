import type { AggregateResult } from '../../contracts/aggregate.js'
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
        format === 'markdown' ? result.feedback_for_code_writer : format === 'table' ? asTable(result) : asJson(result),
    }
  },
}

function asJson(result: AggregateResult): string {
  return JSON.stringify(result, null, 2)
}

function asTable({
  scores,
  weights,
  thresholds_used: limits,
  issue_counts: counts,
  ...result
}: AggregateResult): string {
  const rows = [
    ['CHECK', 'VALUE', 'REQUIRED', 'WEIGHT'],
    ['Critical', `${counts.critical}`, `<= ${limits.critical_max}`, ''],
    ['High', `${counts.high}`, `<= ${limits.high_max}`, ''],
    ['security', `${scores.security}`, `>= ${limits.security_min}`, `${weights.security}`],
    ['quality', `${scores.quality}`, `>= ${limits.quality_min}`, `${weights.quality}`],
    ['performance', `${scores.performance}`, `>= ${limits.performance_min}`, `${weights.performance}`],
    ['overall', `${result.overall_score}`, `>= ${limits.overall_min}`, ''],
  ]
  const lines = result.inconsistencies.map(({ detail }) => `note: ${detail}`)
  return [`${result.recommendation}  ${result.reason}`, '', table(rows), '', ...lines, result.next_action].join('\n')
}
