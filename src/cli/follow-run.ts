import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../contracts/failures.js'
import type { Answer, ProjectedFile, Question, RunState } from '../contracts/run.js'
import { Interrupted } from './cli-error.js'
import type { RunEnd } from './run-end.js'

/** A run as `followRun` needs it; see `temporalSource`. */
export interface RunSource {
  /** Null when nobody answered just now. Throws only for what patience cannot mend. */
  look(): Promise<{ view: RunView | null; isClosed: boolean } | null>
  end(): Promise<RunEnd>
  answer(answer: Answer): Promise<void>
  /** Called when nobody answered: may open again what is gone. */
  revive(): Promise<void>
}

export interface RunView {
  state: RunState
  /** The person's folder as it should look now. */
  files: readonly ProjectedFile[]
}

/** What happens on this side while a run is followed. */
export interface Follower {
  show(state: RunState): void
  write(files: readonly ProjectedFile[]): Promise<void>
  /** Called at most once for each open question at a time; null when nobody answers here. */
  ask(question: Question, signal: AbortSignal): Promise<Answer | null>
  lost(seconds: number): void
  /** The run did not take the person's answer. */
  refused(error: unknown): void
}

export interface FollowOptions {
  signal: AbortSignal
  /** Said when Ctrl-C ends the following. */
  followLine: string
  pollMs?: number
  /** How long nobody may answer before we give up, milliseconds. */
  patienceMs?: number
}

/**
 * Follows a run to its end: shows each new state, writes the files it projects, and asks the person what it asks.
 * Throws `Interrupted` on Ctrl-C, and `Failure('Tool.Failed')` when server and workers stay away for longer than its patience.
 */
export async function followRun(source: RunSource, follower: Follower, options: FollowOptions): Promise<RunEnd> {
  const { pollMs = 300 } = options
  const questions = askInBackground(source, follower)
  const contact = keepContact(source, follower, options)
  let seen = ''
  try {
    for (let delay = pollMs; ; delay = Math.min(delay * SLOWER, pollMs * 4)) {
      const look = await unlessInterrupted(source.look(), options)
      if (look === null) await unlessInterrupted(contact.lost(), options)
      else contact.kept()
      if (look?.view) {
        const text = JSON.stringify(look.view)
        await showView(follower, look.view, text !== seen)
        delay = text === seen ? delay : pollMs
        seen = text
        questions.follow(look.view.state)
      }
      if (look?.isClosed === true) return await source.end()
      await unlessInterrupted(sleep(delay), options)
    }
  } finally {
    questions.stop()
  }
}

/** While nothing happens, the run is looked at more and more seldom, down to a quarter of the first pace. */
const SLOWER = 1.2

/** The clocks on the screen move on with every look, the files only with a new view. */
async function showView(follower: Follower, { state, files }: RunView, isNew: boolean): Promise<void> {
  follower.show(state)
  if (isNew) await follower.write(files)
}

/** Opens again what is gone, until its patience is over. */
function keepContact(source: RunSource, follower: Follower, { patienceMs = 120_000, followLine }: FollowOptions) {
  let lastSeen = Date.now()
  return {
    kept: () => {
      lastSeen = Date.now()
    },
    lost: async () => {
      const seconds = Math.round((Date.now() - lastSeen) / 1000)
      if (seconds * 1000 > patienceMs) {
        throw new Failure(
          'Tool.Failed',
          `no server or no worker has answered for ${seconds} s; the run is kept; ${followLine}`,
        )
      }
      follower.lost(seconds)
      await source.revive()
    },
  }
}

/** The person answers at leisure while the run goes on; an answer from elsewhere, or the deadline, takes the prompt away. */
function askInBackground(source: RunSource, follower: Follower) {
  let asked: { id: string; stop: AbortController } | null = null
  const open = (state: RunState | null) => state?.questions.find((question) => question.answer === null)
  const pose = async (question: Question, stop: AbortController) => {
    try {
      const answer = await follower.ask(question, stop.signal)
      if (answer !== null && !stop.signal.aborted) await source.answer(answer)
    } catch (error) {
      // An answer that came too late is refused by the run; what is open still is asked again.
      follower.refused(error)
      if (asked?.stop === stop) asked = null
    }
  }
  const follow = (state: RunState | null) => {
    const question = open(state)
    if (state === null || question?.id === asked?.id) return
    asked?.stop.abort()
    asked = question === undefined ? null : { id: question.id, stop: new AbortController() }
    if (question !== undefined && asked !== null) void pose(question, asked.stop)
  }
  return { follow, stop: () => asked?.stop.abort() }
}

async function unlessInterrupted<T>(work: Promise<T>, { signal, followLine }: FollowOptions): Promise<T> {
  if (signal.aborted) throw new Interrupted(followLine)
  let onAbort: () => void = () => undefined
  const interrupted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new Interrupted(followLine))
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([work, interrupted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
