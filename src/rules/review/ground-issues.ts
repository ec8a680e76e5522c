import type { ReviewDraft } from '../../contracts/review-answers.js'
import type { ReviewFile } from '../../contracts/review-part.js'
import { readDraft, type FilledDraft } from './draft-fields.js'
import { findQuotation, type FoundQuotation, type LineRange } from './find-quotation.js'
import { isImproved } from './improvement.js'
import { indexQuotations, isWholeLines, type QuotationIndex } from './quotation-index.js'
import { reviewScope, type ReviewScope } from './review-scope.js'
import { type TouchedLines, touchedLines } from './touched-lines.js'
import type { FilterReason, FindingFlag } from './words.js'

/** An issue whose every field is true of the code. */
export interface GroundedIssue extends FilledDraft {
  /** Of the quotation. */
  startLine: number
  endLine: number
  /** True when the quotation is these lines whole. */
  isWholeLines: boolean
  flags: FindingFlag[]
}

/** An issue that is not: why, in one line. */
export interface RefutedIssue {
  draft: ReviewDraft
  reason: FilterReason
  detail: string
}

export interface Grounding {
  grounded: GroundedIssue[]
  refuted: RefutedIssue[]
}

/**
 * Pipelines.md, review 3: before anyone verifies, every issue is held against the code. The file is in scope, the quotation is really there (white
 * space aside) and in what the change touched, `suggestionLine` points to it or is corrected, `improvedCode` differs, every field is filled. Both lists
 * keep the order of the issues. Takes time in proportion to the issues times the sizes of their files.
 */
export function groundIssues(
  drafts: readonly ReviewDraft[],
  files: readonly ReviewFile[],
  workingDirectory: string,
): Grounding {
  const scope = reviewScope(files, workingDirectory)
  const looks = new Map<ReviewFile, FileLook>()
  const grounding: Grounding = { grounded: [], refuted: [] }
  for (const draft of drafts) {
    const outcome = groundIssue(draft, scope, looks)
    if ('reason' in outcome) grounding.refuted.push({ draft, ...outcome })
    else grounding.grounded.push(outcome)
  }
  return grounding
}

interface Refusal {
  reason: FilterReason
  detail: string
}

/** What is made once per file, when its first issue comes. */
interface FileLook {
  index: QuotationIndex
  touched: TouchedLines
  found: Map<string, FoundQuotation | null>
}

function groundIssue(
  draft: ReviewDraft,
  scope: ReviewScope,
  looks: Map<ReviewFile, FileLook>,
): GroundedIssue | Refusal {
  const filled = readDraft(draft)
  if ('reason' in filled) return filled
  const file = scope.fileOf(filled.relevantFile)
  if (file === null) {
    return { reason: 'file_out_of_scope', detail: `${JSON.stringify(filled.relevantFile)} is not under review` }
  }
  const look = lookAt(looks, file)
  const place = placeIn(look, filled)
  if ('reason' in place) return place
  if (!isImproved(place.text, filled.improvedCode, file.path)) {
    return { reason: 'no_improvement', detail: 'improvedCode is the same as existingCode' }
  }
  const isMoved = place.line !== filled.suggestionLine
  return {
    ...filled,
    relevantFile: file.path,
    existingCode: place.text,
    suggestionLine: place.line,
    startLine: place.first,
    endLine: place.last,
    isWholeLines: isWholeLines(look.index, place, place.text),
    flags: [...filled.flags, ...(isMoved ? (['line_corrected'] as const) : [])],
  }
}

function lookAt(looks: Map<ReviewFile, FileLook>, file: ReviewFile): FileLook {
  const known = looks.get(file)
  if (known !== undefined) return known
  const look = { index: indexQuotations(file), touched: touchedLines(file), found: new Map() }
  looks.set(file, look)
  return look
}

interface Place extends LineRange {
  text: string
  /** The line the finding is about. */
  line: number
}

function placeIn(look: FileLook, issue: FilledDraft): Place | Refusal {
  const found = foundIn(look, issue.existingCode)
  if (found === null) return { reason: 'quotation_not_found', detail: 'existingCode is not in the file' }
  const line = nearestTouched(look.touched, found.places, issue.suggestionLine)
  if (line !== null) return { ...line, text: found.text }
  const at = found.places[0]?.first ?? 0
  return {
    reason: 'quotation_not_in_change',
    detail: `existingCode stands at line ${at}, which the change did not touch`,
  }
}

/** Reviewers that repeat themselves ask for the same quotation again. */
function foundIn({ index, found }: FileLook, quotation: string): FoundQuotation | null {
  const known = found.get(quotation)
  if (known !== undefined) return known
  const fresh = findQuotation(index, quotation)
  found.set(quotation, fresh)
  return fresh
}

/** Of the places that the change touched the one nearest to the line that was given. */
function nearestTouched(touched: TouchedLines, places: readonly LineRange[], line: number): Omit<Place, 'text'> | null {
  let best: Omit<Place, 'text'> | null = null
  for (const place of places) {
    const first = touched.within(place.first, place.last)
    const isNearer = best === null || distance(place, line) < distance(best, line)
    if (first !== null && isNearer) best = { ...place, line: exactLine(touched, place, line) ?? first }
  }
  return best
}

/** A line that was given stands when it is within the quotation and touched itself. */
function exactLine(touched: TouchedLines, { first, last }: LineRange, line: number): number | null {
  return line >= first && line <= last ? touched.within(line, line) : null
}

function distance({ first, last }: LineRange, line: number): number {
  return Math.max(first - line, line - last, 0)
}
