/** Whole numbers from 0 to 2^32 - 1, the same for the same seed and purpose on every machine. */
export type RandomWords = () => number

/**
 * A stream of its own for each purpose ("order/screening/ada") of a run's recorded seed: xoshiro128** of Blackman and Vigna, whose four
 * words are mixed FNV-1a hashes of the UTF-16 units of "seed/purpose#0" … "#3". Not for secrets.
 */
export function randomWords(seed: number, purpose: string): RandomWords {
  const [a, b, c, d] = [0, 1, 2, 3].map((word) => hashText(`${seed}/${purpose}#${word}`))
  // All four zero would stay zero for ever.
  return xoshiro128([(a ?? 0) | 1, b ?? 0, c ?? 0, d ?? 0])
}

/** A copy in random order: each of the n! orders is as likely as the stream allows (Fisher and Yates, without modulo bias). */
export function shuffled<T>(items: readonly T[], random: RandomWords): T[] {
  const result = [...items]
  for (let last = result.length - 1; last > 0; last--) {
    const at = below(last + 1, random)
    const [here, there] = [result[last], result[at]]
    if (here !== undefined && there !== undefined) [result[last], result[at]] = [there, here]
  }
  return result
}

/** A whole number from 0 to `bound` - 1. What does not fill a whole number of bounds is drawn again. */
function below(bound: number, random: RandomWords): number {
  const usable = WORDS - (WORDS % bound)
  for (;;) {
    const word = random()
    if (word < usable) return word % bound
  }
}

const WORDS = 2 ** 32

/** The generator itself; the state must not be all zero. */
export function xoshiro128([s0, s1, s2, s3]: readonly [number, number, number, number]): RandomWords {
  let [a, b, c, d] = [s0, s1, s2, s3]
  return () => {
    const word = Math.imul(rotated(Math.imul(b, 5), 7), 9)
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotated(d, 11)
    return word >>> 0
  }
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits))
}

/** FNV-1a, then the finaliser of MurmurHash3, so that texts that differ in their last letter differ everywhere. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
