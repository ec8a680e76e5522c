import type { ReviewDraft } from '../../contracts/review-answers.js'
import {
  type FilterReason,
  type FindingFlag,
  REVIEW_LABELS,
  REVIEW_SEVERITIES,
  type ReviewLabel,
  type ReviewSeverity,
} from './words.js'

/** A reviewer's issue with every required field filled and its words known. */
export interface FilledDraft {
  /** The reviewer's own name for it; '' where it gave none. */
  id: string
  relevantFile: string
  existingCode: string
  suggestionContent: string
  improvedCode: string
  label: ReviewLabel
  suggestionLine: number
  severity: ReviewSeverity
  rule: string | null
  source: string
  flags: FindingFlag[]
}

const REQUIRED = ['relevantFile', 'existingCode', 'suggestionContent', 'improvedCode', 'label'] as const

/** Reads the fields of an issue, or says which is missing or unknown. Only severity may be missing (seed 004, 5.1). */
export function readDraft(draft: ReviewDraft): FilledDraft | FieldFault {
  const fault = FAULTS.map((find) => find(draft)).find((found) => found !== null)
  if (fault !== undefined) return fault
  const isAssumed = isBlank(draft.severity)
  const texts = REQUIRED.map((field) => [field, draft[field] ?? ''] as const)
  return {
    id: draft.id ?? '',
    ...(Object.fromEntries(texts) as Record<(typeof REQUIRED)[number], string>),
    label: wordOf(REVIEW_LABELS, draft.label) ?? 'Quality',
    suggestionLine: lineNumber(draft.suggestionLine) ?? 1,
    severity: wordOf(REVIEW_SEVERITIES, draft.severity) ?? 'Medium',
    rule: draft.rule ?? null,
    source: draft.source ?? 'reviewer',
    flags: FLAGS.filter(([, isSet]) => isSet(draft, isAssumed)).map(([flag]) => flag),
  }
}

interface FieldFault {
  reason: FilterReason
  detail: string
}

const FLAGS: readonly (readonly [FindingFlag, (draft: ReviewDraft, isAssumed: boolean) => boolean])[] = [
  ['advice', ({ isAdvice }) => isAdvice === true],
  ['severity_assumed', (_, isAssumed) => isAssumed],
]

const FAULTS: readonly ((draft: ReviewDraft) => FieldFault | null)[] = [
  (draft) => {
    const empty = REQUIRED.find((field) => isBlank(draft[field]))
    return empty === undefined ? null : { reason: 'missing_field', detail: `${empty} is empty` }
  },
  ({ suggestionLine }) =>
    lineNumber(suggestionLine) === null
      ? { reason: 'missing_field', detail: `suggestionLine: expected a line number, got ${shown(suggestionLine)}` }
      : null,
  ({ label }) =>
    wordOf(REVIEW_LABELS, label) === null
      ? { reason: 'unknown_label', detail: `label: expected ${REVIEW_LABELS.join(', ')}, got ${shown(label)}` }
      : null,
  ({ severity }) =>
    !isBlank(severity) && wordOf(REVIEW_SEVERITIES, severity) === null
      ? {
          reason: 'unknown_severity',
          detail: `severity: expected ${REVIEW_SEVERITIES.join(', ')}, got ${shown(severity)}`,
        }
      : null,
]

function isBlank(text: string | null | undefined): boolean {
  return (text ?? '').trim() === ''
}

/** A number or its digits. */
function lineNumber(value: ReviewDraft['suggestionLine']): number | null {
  const number = typeof value === 'string' && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 1 ? number : null
}

/** The word of the list, upper and lower case aside. */
function wordOf<T extends string>(words: readonly T[], said: string | null | undefined): T | null {
  const plain = (said ?? '').trim().toLowerCase()
  return words.find((word) => word.toLowerCase() === plain) ?? null
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 80)
}
