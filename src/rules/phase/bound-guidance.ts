import { byteLength, cutToBytes } from './byte-length.js'

const MAX_BYTES = 4_000
const MAX_TEXTS = 20

/** What a person has said, as much of it as fits into a prompt: the newest stays, oldest first. */
export function boundGuidance(texts: readonly string[]): string[] {
  const kept: string[] = []
  let left = MAX_BYTES
  for (const text of texts.slice(-MAX_TEXTS).toReversed()) {
    if (left < 4) break
    const cut = cutToBytes(text, left)
    kept.unshift(cut)
    left -= byteLength(cut)
  }
  return kept
}
