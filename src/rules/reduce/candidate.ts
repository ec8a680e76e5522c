import type { SourceLanguage } from '../../contracts/circt.js'

/** Where a pass goes on. Its meaning is the pass's own; `[]` is the beginning. */
export type Cursor = readonly number[]

/** A smaller text to try; `next` is where the same pass goes on in that text, should it be taken. */
export interface Candidate {
  text: string
  next: Cursor
}

/**
 * One way to make a source smaller. `candidates` lists what to try on `text` from `from` on, as if every one will be refused,
 * so that several can be tried at once; when one is taken, the list is asked for again with its text and its `next`.
 * Pure, and finite from any cursor: a pass always comes to an end.
 */
export interface Pass {
  name: string
  candidates(text: string, language: SourceLanguage, from: Cursor): Iterable<Candidate>
}

/** A run of neighbours [from, to) to leave out of a list, and the cursor for when that is taken. */
export interface Removal {
  from: number
  to: number
  next: readonly [size: number, end: number]
}

/** All runs of neighbours of a list of `count`: the whole, halves, quarters … single ones; each size from the back to the front. */
export function* removals(count: number, cursor: Cursor): Generator<Removal> {
  let size = Math.min(cursor[0] ?? count, count)
  let end = Math.min(cursor[1] ?? count, count)
  while (size >= 1) {
    for (; end > 0; end -= size) {
      const from = Math.max(0, end - size)
      yield { from, to: end, next: [size, from] }
    }
    size = size === 1 ? 0 : Math.ceil(size / 2)
    end = count
  }
}
