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
  private kept: MinimizeProgress | null
  private saving: Promise<void> = Promise.resolve()
  private timer: NodeJS.Timeout | null = null
  private failure: unknown = null
  private savedText: string | null = null
  private latest: Best | null = null

  constructor(
    private readonly box: Pick<CirctBox, 'store' | 'heartbeat' | 'previous'>,
    private readonly fileName: string,
  ) {
    // Until there is a text of its own, an attempt passes on what it was left: it may be killed before it gets there.
    this.kept = progressOf(box.previous)
  }

  start(): void {
    this.timer = setInterval(() => this.beat(), BEAT_MS)
    this.beat()
  }

  offer(best: Best): void {
    this.latest = best
  }

  /** Ends the beats, the last text kept. Throws what the store threw, if it did. */
  async stop(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer)
    this.timer = null
    this.beat()
    await this.saving
    if (this.failure !== null) throw this.failure
  }

  private beat(): void {
    this.box.heartbeat(this.kept)
    const { latest } = this
    if (latest === null || latest.text === this.savedText) return
    this.savedText = latest.text
    this.saving = this.saving
      .then(() => this.save(latest))
      .catch((error: unknown) => {
        this.failure = error
      })
  }

  /** The text first, then its address: a heartbeat never names what is not there. */
  private async save({ text, stage, runs }: Best): Promise<void> {
    const { sha256 } = await this.box.store.put(this.fileName, text, 'text/plain')
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
  const progress = progressOf(box.previous)
  if (progress === null) return null
  const { sha256, runs } = progress
  try {
    return { text: (await box.store.get({ sha256, name: fileName })).toString('utf8'), runs }
  } catch (error) {
    if (error instanceof Failure && error.type === 'Contract.Violated') return null
    throw error
  }
}

/** What an earlier attempt's last heartbeat left, when it fits. */
function progressOf(previous: unknown): MinimizeProgress | null {
  const progress = MinimizeProgress.safeParse(previous)
  return progress.success ? progress.data : null
}
