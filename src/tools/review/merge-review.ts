import { ReviewContentFile } from '../../contracts/review-content.js'
import { SettledPart } from '../../contracts/review-part.js'
import { ReviewCoverage, type ReviewReport } from '../../contracts/review-report.js'
import type { MergeOrder, MergeReply } from '../../contracts/review-run.js'
import type { ArtifactStore } from '../../contracts/store.js'
import { buildReport } from '../../rules/review/build-report.js'
import { contentFileName } from '../../rules/review/task-id.js'
import { readDocument, writeDocument } from './review-store.js'

/** Makes the report of all parts, and the content file in its last stage. */
export async function mergeReview(order: MergeOrder, { store }: { store: ArtifactStore }): Promise<MergeReply> {
  const parts: SettledPart[] = []
  for (const sha256 of order.settled) parts.push(await readDocument(store, SettledPart, { name: 'part', sha256 }))
  const coverage = await readDocument(store, ReviewCoverage, { name: 'coverage', sha256: order.coverage })
  const { task_id, reviewer, retries } = order
  const report = buildReport({ task_id, coverage, parts, reviewer, retries })
  return {
    report: await writeDocument(store, 'review.json', report),
    content: await finishContent(order, {
      store,
      report,
      wasReviewed: parts.some(({ grounded }) => grounded !== null),
    }),
    facts: factsOf(report),
  }
}

interface Finished {
  store: ArtifactStore
  report: ReviewReport
  wasReviewed: boolean
}

async function finishContent(
  order: MergeOrder,
  { store, report, wasReviewed }: Finished,
): Promise<MergeReply['content']> {
  const { task_id, content, at } = order
  const file = await readDocument(store, ReviewContentFile, content)
  const { issues, summary } = report.review_results
  const verified = report.verification_results
  // A review that came late, after the second stage was written without it.
  const review = file.review_result ?? (wasReviewed ? { task_id, issues, summary, completed_at: at } : undefined)
  const whole: ReviewContentFile = {
    ...file,
    ...(review === undefined ? {} : { review_result: review }),
    ...(verified === null ? {} : { verification_result: { ...verified, completed_at: at } }),
  }
  return await writeDocument(store, contentFileName(task_id), whole)
}

function factsOf({ status, summary, missing, review_results }: ReviewReport): MergeReply['facts'] {
  const { counts, retries } = review_results
  return {
    status,
    summary: summary.slice(0, 2_000),
    severity_distribution: review_results.summary.severity_distribution,
    raised: counts.raised,
    kept: counts.kept,
    filtered: { ...counts.filtered },
    retries: retries.length,
    missing: missing.slice(0, 20).map((text) => text.slice(0, 600)),
  }
}
