import { describe, expect, it, vi } from 'vitest'
import { Interrupted } from '../../src/cli/cli-error.js'
import { type Follower, followRun, type RunSource } from '../../src/cli/follow-run.js'
import type { Question, RunState } from '../../src/contracts/run.js'

const END = { failure: { type: 'Tool.Failed', message: 'the end' } }
const QUESTION: Question = {
  id: 'duplicate',
  kind: 'choice',
  title: 'Is it?',
  detail: '',
  options: [],
  default: 'report',
  deadline: '2026-01-28T14:00:00.000Z',
  answer: null,
  answered_by: null,
}

describe('followRun', () => {
  it('shows and writes each new view, and returns the end', async () => {
    const follower = aFollower()
    const looks = [look('one'), look('one'), look('two', true)]
    expect(await followRun(aSource(looks), follower, options())).toBe(END)
    expect(follower.show).toHaveBeenCalledTimes(3)
    expect(follower.write.mock.calls.map(([files]) => files)).toEqual([[file('one')], [file('two')]])
  })

  it('opens again what is gone, and goes on', async () => {
    const source = aSource([look('one'), null, null, look('one', true)])
    const follower = aFollower()
    expect(await followRun(source, follower, options())).toBe(END)
    expect(source.revive).toHaveBeenCalledTimes(2)
    expect(follower.lost).toHaveBeenCalledTimes(2)
  })

  it('gives up after its patience, with a line that says the run is kept', async () => {
    const source = aSource([look('one'), ...Array.from({ length: 10_000 }, () => null)])
    const following = followRun(source, aFollower(), { ...options(), patienceMs: 600 })
    await expect(following).rejects.toMatchObject({
      type: 'Tool.Failed',
      message: expect.stringMatching(/the run is kept; follow it so/),
    })
  })

  it('leaves at Ctrl-C, also while it waits for an answer that does not come', async () => {
    const control = new AbortController()
    const source = { ...aSource([]), look: () => new Promise<never>(() => undefined) }
    const following = followRun(source, aFollower(), { ...options(), signal: control.signal })
    setTimeout(() => control.abort(), 20)
    await expect(following).rejects.toThrow(new Interrupted('follow it so'))
  })

  it('asks an open question once, answers it, and lets the run go on meanwhile', async () => {
    const follower = aFollower()
    follower.ask.mockResolvedValue({ question: 'duplicate', option: 'report' })
    const source = aSource([look('one', false, [QUESTION]), look('two', false, [QUESTION]), look('three', true)])
    await followRun(source, follower, options())
    expect(follower.ask).toHaveBeenCalledTimes(1)
    expect(source.answer).toHaveBeenCalledWith({ question: 'duplicate', option: 'report' })
    expect(follower.show).toHaveBeenCalledTimes(3)
  })

  it('takes the prompt away when somebody else has answered', async () => {
    const follower = aFollower()
    let signal: AbortSignal | null = null
    follower.ask.mockImplementation((_, given) => {
      signal = given
      return new Promise((resolve) => given.addEventListener('abort', () => resolve(null)))
    })
    const answered = { ...QUESTION, answer: 'report' }
    const source = aSource([
      look('one', false, [QUESTION]),
      look('two', false, [answered]),
      look('three', true, [answered]),
    ])
    await followRun(source, follower, options())
    expect(signal!.aborted).toBe(true)
    expect(source.answer).not.toHaveBeenCalled()
  })

  it('says that an answer was refused, and asks again while the question is open', async () => {
    const follower = aFollower()
    follower.ask.mockResolvedValue({ question: 'duplicate', option: 'report' })
    const source = aSource([
      look('one', false, [QUESTION]),
      look('two', false, [QUESTION]),
      look('three', false, [QUESTION]),
      look('four', true),
    ])
    source.answer.mockRejectedValueOnce(new Error('closed'))
    await followRun(source, follower, options())
    expect(follower.refused).toHaveBeenCalledTimes(1)
    expect(follower.ask.mock.calls.length).toBeGreaterThan(1)
  })
})

function options() {
  return { signal: new AbortController().signal, followLine: 'follow it so', pollMs: 5 }
}

type Look = Awaited<ReturnType<RunSource['look']>>

function aSource(looks: Look[]) {
  const last = looks.at(-1) ?? null
  return {
    look: vi.fn<RunSource['look']>(async () => (looks.length > 0 ? (looks.shift() ?? null) : last)),
    end: vi.fn<RunSource['end']>(async () => END),
    answer: vi.fn<RunSource['answer']>(async () => undefined),
    revive: vi.fn<RunSource['revive']>(async () => undefined),
  }
}

function aFollower() {
  return {
    show: vi.fn<Follower['show']>(),
    write: vi.fn<Follower['write']>(async () => undefined),
    ask: vi.fn<Follower['ask']>(async () => null),
    lost: vi.fn<Follower['lost']>(),
    refused: vi.fn<Follower['refused']>(),
  }
}

function look(phase: string, isClosed = false, questions: Question[] = []): Look {
  const state: RunState = {
    pipeline: 'circt',
    run_id: 'r',
    status: 'running',
    phase,
    steps: [],
    questions,
    usage: { tokens: 0, cost: 0, seconds: 0 },
    artifacts: [],
    verdict: null,
  }
  return { view: { state, files: [file(phase)] }, isClosed }
}

function file(text: string) {
  return { path: 'status.json', text }
}
