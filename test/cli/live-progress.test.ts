import { describe, expect, it } from 'vitest'
import { liveProgress } from '../../src/cli/live-progress.js'
import { openTerminal } from '../../src/cli/terminal.js'
import type { RunState, Step } from '../../src/contracts/run.js'
import { collected, fakeStreams } from '../support/typed-cli.js'

const ESCAPE = '\u001b'

describe('where nobody looks at a terminal', () => {
  it('progress is plain lines on stderr, one for each change, and stdout stays free for results', () => {
    const { stdout, stderr, follower } = follow({ isTTY: false })
    follower.show(state('running'))
    follower.show(state('running'))
    follower.show(state('passed'))
    expect(stderr()).toBe('▶ reproduce running\n✔ reproduce passed (1.0 s)\n')
    expect(stdout()).toBe('')
  })

  it('with --json nothing is said at all', () => {
    const { stdout, stderr, follower } = follow({ isTTY: true, columns: 80 }, {}, true)
    follower.show(state('running'))
    follower.lost(5)
    expect(stderr() + stdout()).toBe('')
  })

  it('says once that nobody answers, and once that somebody does again', () => {
    const { stderr, follower } = follow({ isTTY: false })
    follower.lost(0)
    follower.lost(3)
    follower.show(state('running'))
    expect(stderr()).toBe('no answer from the run; trying again\nthe run answers again\n▶ reproduce running\n')
  })

  it('a default is taken at once when nobody is to be asked', async () => {
    const { follower } = follow({ isTTY: false }, {}, false, true)
    const question = { ...QUESTION }
    expect(await follower.ask(question, new AbortController().signal)).toEqual({
      question: 'q',
      option: 'no',
      by: 'default',
    })
  })
})

describe('on a terminal', () => {
  it('the table is drawn again in place', () => {
    const { stderr, follower } = follow({ isTTY: true, columns: 60 })
    follower.show(state('running'))
    const first = stderr()
    follower.show(state('passed'))
    const second = stderr().slice(first.length)
    expect(first.split('\n')).toHaveLength(3)
    expect(second.startsWith(`\r${ESCAPE}[2A${ESCAPE}[0J`)).toBe(true)
    expect(second).toContain('✔')
  })

  it('has colours, and none with NO_COLOR', () => {
    const coloured = follow({ isTTY: true, columns: 60 })
    coloured.follower.show(state('running'))
    expect(coloured.stderr()).toContain(`${ESCAPE}[36m`)
    const plain = follow({ isTTY: true, columns: 60 }, { NO_COLOR: '1' })
    plain.follower.show(state('running'))
    expect(plain.stderr()).not.toContain(ESCAPE)
  })

  it('is not redrawn where the terminal is dumb', () => {
    const { stderr, follower } = follow({ isTTY: true, columns: 60 }, { TERM: 'dumb' })
    follower.show(state('running'))
    expect(stderr()).toBe('▶ reproduce running\n')
  })
})

it('poses a question line by line, in lines that fit, whatever the text would do to a terminal', async () => {
  const { stderr, follower } = follow({ isTTY: true, columns: 40 }, { NO_COLOR: '1' })
  const detail = 'round 1: 82\nround 2: 82\u001b[2J\nthe scores of the last three rounds lie within 6 points'
  const asked = follower.ask({ ...QUESTION, detail }, AbortSignal.timeout(100))
  expect(await asked).toBeNull()
  expect(stderr().split('\n').slice(0, 5)).toEqual([
    'Sure?',
    'round 1: 82',
    'round 2: 82[2J',
    'the scores of the last three rounds lie',
    '  within 6 points',
  ])
})

const QUESTION = {
  id: 'q',
  kind: 'choice' as const,
  title: 'Sure?',
  detail: '',
  options: [],
  default: 'no',
  deadline: '2026-01-28T14:00:00.000Z',
  answer: null,
  answered_by: null,
}

function follow(parts: object, env: Record<string, string> = {}, isJson = false, takesDefaults = false) {
  const stdout = collected()
  const stderr = collected()
  const terminal = openTerminal(fakeStreams(stdout.stream, stderr.stream, parts), env, isJson)
  const follower = liveProgress({ terminal, projection: null, inPlace: new Set(), takesDefaults })
  return { stdout: () => stdout.text(), stderr: () => stderr.text(), follower }
}

function state(status: Step['status']): RunState {
  const ended_at = status === 'running' ? null : '2026-01-28T14:00:01.000Z'
  const step: Step = {
    name: 'reproduce',
    status,
    attempt: 1,
    started_at: '2026-01-28T14:00:00.000Z',
    ended_at,
    note: null,
  }
  return {
    pipeline: 'circt',
    run_id: 'r',
    status: 'running',
    phase: 'phase1_parallel',
    steps: [step],
    questions: [],
    usage: { tokens: 0, cost: 0, seconds: 0 },
    artifacts: [],
    verdict: null,
  }
}
