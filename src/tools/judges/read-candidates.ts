import type { ReadOrder, ReadReply } from '../../contracts/eval-orders.js'
import type { ArtifactStore } from '../../contracts/store.js'
import { findInstructions } from '../../rules/eval/hidden-instructions.js'
import { candidateText } from './candidate-text.js'

/** Which candidates speak to whoever judges them. */
export async function readCandidates(
  { candidates }: ReadOrder,
  { store }: { store: ArtifactStore },
): Promise<ReadReply> {
  const hidden: ReadReply['hidden'] = []
  for (const [candidate, each] of candidates.entries()) {
    const lines = findInstructions(await candidateText(store, each))
    if (lines.length > 0) hidden.push({ candidate, lines })
  }
  return { hidden }
}
