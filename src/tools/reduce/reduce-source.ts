import type { SourceLanguage } from '../../contracts/circt.js'
import type { Cursor, Pass } from '../../rules/reduce/candidate.js'
import type { PassRow } from '../../rules/reduce/minimize-report.js'
import { ALL_PASSES, COARSE_PASSES, LAST_PASSES } from '../../rules/reduce/passes.js'
import { printReadably } from '../../rules/reduce/readable.js'
import { lineCount } from '../../rules/reduce/source-size.js'
import { firstInteresting } from './first-interesting.js'
import type { Oracle } from './oracle-cache.js'
import { OracleCache } from './oracle-cache.js'

export interface ReduceOrder {
  /** Interesting already: the caller made sure. */
  text: string
  language: SourceLanguage
  oracle: Oracle
  /**
   * A check too slow for every run (a debugger's frames), made on what each pass ended with. When it says no, the pass is undone and
   * run again with this check on whatever it would take.
   */
  verify: Oracle | null
  parallelism: number
  /** Texts whose answer was used, not runs: the same for every parallelism. */
  maxRuns: number
  /** True when time is up: the reduction ends with the best so far. */
  isTimeUp(): boolean
  signal: AbortSignal
  /** Told of every better text that all checks have passed. */
  onBest(best: { text: string; stage: string; runs: number }): void
}

export interface Reduction {
  text: string
  /** No single line can go: found by trying each of them. False when the allowance ended first. */
  isOneMinimal: boolean
  end: 'complete' | 'runs' | 'time'
  runs: number
  cacheHits: number
  /** In order; those that found nothing to take are here too. */
  passes: PassRow[]
}

/**
 * Makes a source as small as the passes can, by asking an oracle: coarse passes to a fixed point, all passes to a fixed point, then
 * printed and 1-minimal by line. Equal inputs and answers give an equal result, whatever the parallelism and the order of completion.
 * Throws the signal's reason on cancellation, after every run has ended.
 */
export async function reduceSource(order: ReduceOrder): Promise<Reduction> {
  const reducer = new Reducer(order)
  try {
    await reducer.untilNothingGoes(COARSE_PASSES)
    await reducer.untilNothingGoes(ALL_PASSES)
    const isOneMinimal = await reducer.untilNothingGoes(LAST_PASSES)
    return reducer.result(isOneMinimal)
  } finally {
    await reducer.settle()
  }
}

/** Rounds of passes that each take something are bounded too, since printing and shrinking could undo each other. */
const MAX_ROUNDS = 12

class Reducer {
  private best: string
  private verified: string
  private readonly cache: OracleCache
  private readonly slowCache: OracleCache | null
  private readonly passes: PassRow[] = []

  constructor(private readonly order: ReduceOrder) {
    this.best = order.text
    this.verified = order.text
    this.cache = new OracleCache(order.oracle)
    this.slowCache = order.verify === null ? null : new OracleCache(order.verify)
  }

  /** True when a whole round took nothing, printing aside; false when the allowance ended first. */
  async untilNothingGoes(passes: readonly Pass[]): Promise<boolean> {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const before = this.best
      for (const pass of passes) await this.run(pass)
      if (this.isOver()) return false
      if (this.best === before) return true
    }
    return false
  }

  result(isOneMinimal: boolean): Reduction {
    const end = this.order.isTimeUp() ? 'time' : 'runs'
    return {
      text: this.best,
      isOneMinimal,
      end: this.isOver() ? end : 'complete',
      runs: this.runs(),
      cacheHits: this.cache.hits,
      passes: this.passes,
    }
  }

  async settle(): Promise<void> {
    await Promise.all([this.cache.settle(), this.slowCache?.settle()])
  }

  private runs(): number {
    return this.cache.runs + (this.slowCache?.runs ?? 0)
  }

  private isOver(): boolean {
    return this.cache.spent >= this.order.maxRuns || this.order.isTimeUp()
  }

  private async run(pass: Pass): Promise<void> {
    const [before, runsBefore, startedAt] = [this.best, this.runs(), Date.now()]
    await this.takeAll(pass, false)
    const wasRedone = !(await this.isVerified(this.best))
    if (wasRedone) {
      this.best = this.verified
      await this.takeAll(pass, true)
    }
    this.verified = this.best
    if (this.best !== before) this.tell(pass)
    this.passes.push({
      stage: pass.name,
      runs: this.runs() - runsBefore,
      linesBefore: lineCount(before),
      linesAfter: lineCount(this.best),
      bytesBefore: Buffer.byteLength(before),
      bytesAfter: Buffer.byteLength(this.best),
      seconds: (Date.now() - startedAt) / 1000,
      wasRedone,
    })
  }

  private async takeAll(pass: Pass, isCareful: boolean): Promise<void> {
    let from: Cursor = []
    while (!this.isOver()) {
      const taken = await firstInteresting(this.candidates(pass, from), {
        cache: this.cache,
        parallelism: this.order.parallelism,
        signal: this.order.signal,
        isOver: () => this.isOver(),
      })
      if (taken === null) return
      from = taken.next
      if (isCareful && !(await this.isVerified(taken.text))) continue
      this.best = taken.text
      if (isCareful || this.slowCache === null) this.tell(pass)
    }
  }

  private *candidates(pass: Pass, from: Cursor) {
    const seen = new Set([this.best])
    for (const candidate of pass.candidates(this.best, this.order.language, from)) {
      const isEmpty = candidate.text.trim() === ''
      // Only printing may change layout alone: others would undo it, round after round.
      const isSame = pass !== printReadably && candidate.text.trim() === this.best.trim()
      if (isEmpty || isSame || seen.has(candidate.text)) continue
      seen.add(candidate.text)
      yield candidate
    }
  }

  /** A text that the slow check refuses is never taken again. */
  private async isVerified(text: string): Promise<boolean> {
    if (this.slowCache === null || text === this.verified) return true
    const isVerified = await this.slowCache.ask(text, this.order.signal)
    if (!isVerified) this.cache.correct(text, false)
    return isVerified
  }

  private tell(pass: Pass): void {
    this.order.onBest({ text: this.best, stage: pass.name, runs: this.runs() })
  }
}
