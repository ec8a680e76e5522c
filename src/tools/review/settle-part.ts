import { VerifyReply } from '../../contracts/review-answers.js'
import { GroundedPart, ReviewPart, type SettledPart } from '../../contracts/review-part.js'
import type { SettleOrder, SettleReply } from '../../contracts/review-run.js'
import type { ArtifactStore } from '../../contracts/store.js'
import { readDocument, writeDocument } from './review-store.js'

/** Puts everything that came of one part into one artifact. */
export async function settlePart(order: SettleOrder, { store }: { store: ArtifactStore }): Promise<SettleReply> {
  const { grounded, verification, missing, retries } = order
  const { id } = await readDocument(store, ReviewPart, { name: 'part', sha256: order.part })
  const document: SettledPart = {
    id,
    grounded: grounded === null ? null : await readDocument(store, GroundedPart, { name: 'review', sha256: grounded }),
    verification:
      verification === null
        ? null
        : ((await readDocument(store, VerifyReply, { name: 'verification', sha256: verification }))
            .verification_result ?? null),
    missing,
    retries,
  }
  return { settled: (await writeDocument(store, `settled-${id}.json`, document)).sha256 }
}
