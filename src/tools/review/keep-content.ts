import { ReviewContentFile } from '../../contracts/review-content.js'
import { GroundedPart } from '../../contracts/review-part.js'
import type { ContentOrder, ContentReply } from '../../contracts/review-run.js'
import type { ArtifactStore } from '../../contracts/store.js'
import { renumbered } from '../../rules/review/merge-parts.js'
import { reviewSummary } from '../../rules/review/review-summary.js'
import { contentFileName } from '../../rules/review/task-id.js'
import { readDocument, writeDocument } from './review-store.js'

/** Seed 004, 4.2: the content file once every part has been reviewed. */
export async function keepContent(order: ContentOrder, { store }: { store: ArtifactStore }): Promise<ContentReply> {
  const { task_id, content, grounded, at } = order
  const file = await readDocument(store, ReviewContentFile, content)
  const parts: GroundedPart[] = []
  for (const sha256 of grounded) parts.push(await readDocument(store, GroundedPart, { name: 'review', sha256 }))
  const issues = renumbered(parts.map(({ findings }) => findings)).flat()
  const review_result = { task_id, issues, summary: reviewSummary(issues), completed_at: at }
  return { content: await writeDocument(store, contentFileName(task_id), { ...file, review_result }) }
}
