import type { AggregateInput, Severity } from '../contracts/aggregate.js'
import { fractionOf, roundHalfUp } from './aggregate-fractions.js'
import type { StackAdvice } from './aggregate-hints.js'
import type { MergedIssue } from './aggregate-issues.js'
import { quoteName, quoteText } from './aggregate-markdown.js'
import type { AggregateSettings } from './aggregate-settings.js'
import { DIMENSIONS, scoreOf, type Verdict } from './aggregate-verdict.js'
import type { AggregateWords } from './aggregate-words.js'

export interface FeedbackParts {
  input: AggregateInput
  settings: AggregateSettings
  verdict: Verdict
  /** In the order in which they are to be fixed. */
  merged: readonly MergedIssue[]
  adviceOn: (type: string) => StackAdvice
  words: AggregateWords
  nextAction: string
}

/** Seed 000's Markdown for the writer. Low issues are in the result only. Text of reviewers is quoted, its length bounded. */
export function renderFeedback(parts: FeedbackParts): string {
  const { words, nextAction } = parts
  const sections = LEVELS.flatMap((level) => renderLevel(level, parts))
  const lines = [
    `## ${words.toFix}`,
    ...(sections.length === 0 ? ['', words.nothing] : sections),
    '',
    `## ${words.state}`,
    ...stateLines(parts),
    '',
    `## ${words.nextStep}`,
    nextAction,
  ]
  return lines.join('\n')
}

const LEVELS = ['Critical', 'High', 'Medium'] as const satisfies Severity[]

function renderLevel(level: (typeof LEVELS)[number], parts: FeedbackParts): string[] {
  const { merged, words } = parts
  const issues = merged.filter((issue) => issue.severity === level)
  if (issues.length === 0) return []
  const shown: string[] = []
  let length = 0
  for (const issue of issues.slice(0, maxItems)) {
    if (length > maxSectionLength) break
    const item = renderItem(issue, shown.length + 1, parts)
    shown.push(item)
    length += item.length
  }
  const left = issues.length - shown.length
  return ['', `### ${words.levels[level]}`, ...shown, ...(left > 0 ? ['', words.more(left)] : [])]
}

/** What a writer, or the prompt it becomes, can still take in. */
const maxItems = 100
const maxSectionLength = 20_000

function renderItem({ type, file, line, says }: MergedIssue, number: number, parts: FeedbackParts): string {
  const { words, adviceOn } = parts
  const place = `${quoteName(file)}${line === null ? '' : `:${line}`}`
  const advice = adviceOn(type).hints.map(({ stack, text }) => `${bullet}${words.techStack} (${stack}): ${text}`)
  return [
    `${number}. **${quoteName(type)}** - ${place}`,
    ...saidLines(
      words.problem,
      says.map(({ source, description: text }) => ({ source, text })),
    ),
    ...saidLines(
      words.fix,
      says.map(({ source, suggestion: text }) => ({ source, text })),
    ),
    ...advice,
  ].join('\n')
}

const bullet = '   - '

/** What several reviewers say alike is said once; each is named only where they differ. */
function saidLines(label: string, says: readonly { source: string; text: string }[]): string[] {
  const unique = new Map(says.map(({ source, text }) => [quoteText(text, '     '), source]))
  unique.delete('')
  const names = [...unique].slice(0, maxSays)
  return names.map(([quoted, source]) => `${bullet}${label}${names.length > 1 ? ` (${source})` : ''}:${quoted}`)
}

const maxSays = 4

function stateLines({ input, settings, verdict, words }: FeedbackParts): string[] {
  const overall = roundHalfUp(verdict.overall)
  const { previous, improvement } = verdict.progress
  const change = improvement === null ? 0 : roundHalfUp(improvement)
  const before = previous === null ? '' : `${roundHalfUp(fractionOf(previous))} → `
  const gained = improvement === null ? '' : ` (${change < 0 ? '' : '+'}${change})`
  const scores = DIMENSIONS.map((name) => `${words.dimensions[name]}: ${roundHalfUp(fractionOf(scoreOf(input, name)))}`)
  return [
    `- ${words.round}: ${input.iteration}/${settings.thresholds.max_iterations}`,
    `- ${words.overallScore}: ${before}${overall}${gained}`,
    `- ${scores.join(', ')}`,
  ]
}
