import { createHash } from 'node:crypto'

/** Answers whether a text still shows the bug. Must give one text one answer; may be abandoned through the signal. */
export type Oracle = (text: string, signal: AbortSignal) => Promise<boolean>

/** The answers so far by content, and how often the oracle really ran. */
export class OracleCache {
  runs = 0
  hits = 0
  private readonly answers = new Map<string, boolean>()
  private readonly used = new Set<string>()
  private readonly open = new Set<Promise<unknown>>()

  constructor(private readonly oracle: Oracle) {}

  /** Runs the oracle unless the answer is known. An abandoned run is not an answer: it throws the signal's reason. */
  async ask(text: string, signal: AbortSignal): Promise<boolean> {
    const key = contentKey(text)
    const known = this.answers.get(key)
    if (known !== undefined) {
      this.hits += 1
      return known
    }
    this.runs += 1
    const run = this.oracle(text, signal)
    this.open.add(run)
    try {
      const answer = await run
      signal.throwIfAborted()
      this.answers.set(key, answer)
      return answer
    } finally {
      this.open.delete(run)
    }
  }

  /** What a more careful check found out about a text. */
  correct(text: string, answer: boolean): void {
    this.answers.set(contentKey(text), answer)
  }

  /** Counts a text whose answer decided something. The same on every machine, unlike `runs`, which counts guesses ahead too. */
  spend(text: string): number {
    this.used.add(contentKey(text))
    return this.used.size
  }

  get spent(): number {
    return this.used.size
  }

  /** Resolves when no run is under way any more. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.open)
  }
}

function contentKey(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
