import { createHash } from 'node:crypto'
import { type ReviewDraft, ReviewReply } from '../../contracts/review-answers.js'
import { type GroundedPart, ReviewPart, ReviewSources } from '../../contracts/review-part.js'
import type { FilteredIssue, Finding } from '../../contracts/review-report.js'
import type { GroundOrder, GroundReply } from '../../contracts/review-run.js'
import type { ArtifactStore } from '../../contracts/store.js'
import { isGeneratedFile, isTestFile } from '../../rules/review/file-kinds.js'
import { filteredDraft, filteredFinding } from '../../rules/review/filtered-issue.js'
import { subjectOf } from '../../rules/review/finding-kinds.js'
import { fingerprints } from '../../rules/review/fingerprint.js'
import { type GroundedIssue, groundIssues } from '../../rules/review/ground-issues.js'
import { issueId } from '../../rules/review/issue-id.js'
import { mergeDuplicates } from '../../rules/review/merge-duplicates.js'
import { suppressionFinder } from '../../rules/review/suppressions.js'
import { severityRank } from '../../rules/review/words.js'
import { readDocument, writeDocument } from './review-store.js'

/** Holds one part's answer against its code: grounds, merges what is said twice, fingerprints, and takes out what the project does not want to hear. */
export async function groundPart(order: GroundOrder, { store }: { store: ArtifactStore }): Promise<GroundReply> {
  const part = await readDocument(store, ReviewPart, { name: 'part', sha256: order.part })
  const reply = await readDocument(store, ReviewReply, { name: 'answer', sha256: order.answer })
  const { suppressions } = await readDocument(store, ReviewSources, { name: 'sources', sha256: order.sources })
  const drafts = reply.issues ?? []
  const { grounded, refuted } = groundIssues(drafts, part.files, order.working_directory)
  const merged = mergeDuplicates(grounded, subjectOf)
  const marks = fingerprints(
    merged.map(({ issue }) => issue),
    part.files,
    (text) => createHash('sha256').update(text).digest('hex').slice(0, 32),
  )
  const told = merged.map(({ issue }, index) => findingOf(issue, marks[index] ?? '', part))
  const findEntry = suppressionFinder(suppressions)
  const findings = told.filter((finding) => findEntry(finding) === null).toSorted(byPlace)
  const filtered: FilteredIssue[] = [
    ...refuted.map(filteredDraft),
    ...merged.flatMap(({ issue, duplicates }) => duplicates.map((each) => duplicateOf(each, issue))),
    ...told.flatMap((finding) => {
      const entry = findEntry(finding)
      return entry === null ? [] : [filteredFinding(finding, 'suppressed', entry.reason)]
    }),
  ]
  const document: GroundedPart = {
    findings: findings.map((finding, index) => ({ ...finding, id: issueId(index + 1) })),
    filtered,
    refuted: refuted.length,
    reviewers: reply.reviewers ?? [],
    assessment: reply.summary?.overall_assessment?.slice(0, 4_000) ?? null,
  }
  const { sha256 } = await writeDocument(store, `grounded-${part.id}.json`, document)
  return { grounded: sha256, raised: drafts.length, kept: findings.length, refuted: refuted.length }
}

function findingOf(issue: GroundedIssue, fingerprint: string, { files }: ReviewPart): Finding {
  const text = files.find(({ path }) => path === issue.relevantFile)?.text ?? null
  const flags = [
    ...issue.flags,
    ...(isTestFile(issue.relevantFile) ? (['test_file'] as const) : []),
    ...(isGeneratedFile(issue.relevantFile, text) ? (['generated_file'] as const) : []),
  ]
  return { ...issue, flags, fingerprint, evidence: null }
}

function duplicateOf(issue: GroundedIssue, kept: GroundedIssue): FilteredIssue {
  const draft: ReviewDraft = { ...issue, suggestionLine: issue.suggestionLine }
  const detail = `says the same as ${kept.id || 'another issue'} (${kept.relevantFile}:${kept.suggestionLine})`
  return filteredDraft({ draft, reason: 'duplicate', detail })
}

function byPlace(a: Finding, b: Finding): number {
  const files = a.relevantFile < b.relevantFile ? -1 : Number(a.relevantFile > b.relevantFile)
  return severityRank(a.severity) - severityRank(b.severity) || files || a.suggestionLine - b.suggestionLine
}
