import type { FilteredIssue, Finding } from '../../contracts/review-report.js'
import type { RefutedIssue } from './ground-issues.js'
import type { FilterReason } from './words.js'

/** What the report keeps of an issue that is not in it: enough to know which it was. */
export function filteredDraft({ draft, reason, detail }: RefutedIssue): FilteredIssue {
  const text = (value: unknown) =>
    (typeof value === 'string' || typeof value === 'number' ? String(value) : '').slice(0, mostKept)
  return {
    id: text(draft.id),
    relevantFile: text(draft.relevantFile),
    suggestionLine: text(draft.suggestionLine),
    existingCode: text(draft.existingCode),
    label: text(draft.label),
    severity: text(draft.severity),
    suggestionContent: text(draft.suggestionContent),
    reason,
    detail: detail.slice(0, mostKept),
    fingerprint: null,
  }
}

const mostKept = 2_000

/** Of a finding that was true of the code and is taken out all the same. */
export function filteredFinding(finding: Finding, reason: FilterReason, detail: string): FilteredIssue {
  const { fingerprint, ...draft } = finding
  return { ...filteredDraft({ draft, reason, detail }), fingerprint }
}
