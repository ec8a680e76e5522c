import type { Candidate } from '../../rules/reduce/candidate.js'
import type { OracleCache } from './oracle-cache.js'

export interface Search {
  cache: OracleCache
  /** Oracle runs at once. */
  parallelism: number
  signal: AbortSignal
  /** Asked before each candidate: true ends the search with nothing found. */
  isOver(): boolean
}

interface Guess {
  candidate: Candidate
  answer: Promise<boolean>
  controller: AbortController
}

/**
 * The first candidate, in their order, that is interesting; null when none is. Several are asked at once, but a later one is taken only
 * after all before it were refused, so the result depends neither on the parallelism nor on which run ends first.
 * What was asked in vain is abandoned. Throws what the oracle throws, and the signal's reason when that is aborted.
 */
export async function firstInteresting(candidates: Iterable<Candidate>, search: Search): Promise<Candidate | null> {
  const source = candidates[Symbol.iterator]()
  const guesses: Guess[] = []
  try {
    for (;;) {
      fill(guesses, source, search)
      const first = guesses[0]
      if (first === undefined || search.isOver()) return null
      const isTaken = await first.answer
      guesses.shift()
      search.cache.spend(first.candidate.text)
      if (isTaken) return first.candidate
    }
  } finally {
    guesses.forEach(({ controller }) => controller.abort(new Error('an earlier candidate was taken')))
  }
}

function fill(guesses: Guess[], source: Iterator<Candidate>, search: Search): void {
  while (guesses.length < search.parallelism && !search.isOver()) {
    const { value, done } = source.next()
    if (done === true) return
    guesses.push(guess(value, search))
  }
}

function guess(candidate: Candidate, { cache, signal }: Search): Guess {
  const controller = new AbortController()
  const answer = cache.ask(candidate.text, AbortSignal.any([signal, controller.signal]))
  // An abandoned guess rejects with nobody waiting for it; whoever does wait still gets the rejection.
  answer.catch((error: unknown) => error)
  return { candidate, answer, controller }
}
