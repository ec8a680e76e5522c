import { Failure } from '../../contracts/failures.js'
import { MinimizeProgress } from '../../contracts/minimize-progress.js'
import { lineCount } from '../../rules/reduce/source-size.js'
import type { CirctBox } from '../circt/circt-box.js'

interface Best {
  text: string
  stage: string
  runs: number
}

/** Keeps the best text in the store, and its address in the heartbeat, so that a killed worker's successor goes on from there. */
export class BestKeeper {
  private kept: MinimizeProgress | null = null
  private saving: Promise<void> = Promise.resolve()
  private timer: NodeJS.Timeout | null = null
  private failure: unknown = null
  private savedText: string | null = null

  constructor(
    private readonly box: Pick<CirctBox, 'store' | 'heartbeat'>,
    private latest: Best & { fileName: string },
  ) {}

  start(): void {
    this.timer = setInterval(() => this.beat(), BEAT_MS)
    this.beat()
  }

  offer(best: Best): void {
    this.latest = { ...this.latest, ...best }
  }

  /** Ends the beats. Throws what the store threw, if it did. */
  async stop(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer)
    this.timer = null
    await this.saving
    if (this.failure !== null) throw this.failure
  }

  private beat(): void {
    if (this.kept !== null) this.box.heartbeat(this.kept)
    const { latest } = this
    if (latest.text === this.savedText) return
    this.savedText = latest.text
    this.saving = this.saving
      .then(() => this.save(latest))
      .catch((error: unknown) => {
        this.failure = error
      })
  }

  /** The text first, then its address: a heartbeat never names what is not there. */
  private async save({ text, stage, runs, fileName }: Best & { fileName: string }): Promise<void> {
    const { sha256 } = await this.box.store.put(fileName, text, 'text/plain')
    this.kept = { sha256, lines: lineCount(text), stage, runs }
    this.box.heartbeat(this.kept)
  }
}

/** Often enough for a heartbeat limit of a few seconds; seldom enough that a fast reduction does not flood the store. */
const BEAT_MS = 500

/** The best text of an earlier attempt; null when there was none, or it is gone from the store. */
export async function bestOfPrevious(
  box: Pick<CirctBox, 'store' | 'previous'>,
  fileName: string,
): Promise<{ text: string; runs: number } | null> {
  const progress = MinimizeProgress.safeParse(box.previous)
  if (!progress.success) return null
  const { sha256, runs } = progress.data
  try {
    return { text: (await box.store.get({ sha256, name: fileName })).toString('utf8'), runs }
  } catch (error) {
    if (error instanceof Failure && error.type === 'Contract.Violated') return null
    throw error
  }
}
