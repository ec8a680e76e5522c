import { describe, expect, it } from 'vitest'
import { AgentType } from '../../../src/contracts/phase.js'
import {
  advanceTask,
  startTask,
  TASK_LIMITS,
  type TaskEvent,
  type TaskProgress,
} from '../../../src/rules/phase/decide-task.js'
import { COMMON_OUTCOMES, meaningOf, type Outcome, OUTCOMES } from '../../../src/rules/phase/outcomes.js'
import { phasesOf } from '../../../src/rules/phase/phases-of.js'

const CODER = ['tdd', 'develop', 'verify', 'accept'] as const

const outcome = (word: Outcome): TaskEvent => ({ kind: 'outcome', outcome: word })
const answer = (word: 'retry' | 'take-over' | 'skip' | 'none'): TaskEvent => ({ kind: 'answer', answer: word })
const diagnosed: TaskEvent = { kind: 'diagnosed' }
const conflict: TaskEvent = { kind: 'unmerged', because: 'conflict' }
const unmerged: TaskEvent = { kind: 'unmerged', because: 'failed' }

const follow = (events: readonly TaskEvent[], from = startTask(CODER)) => events.reduce(advanceTask, from)

describe('a task', () => {
  it('goes through its phases when everything is good', () => {
    const seen = [outcome('red'), outcome('green'), outcome('pass'), outcome('approved')]
    const phases = seen.map((_, index) => follow(seen.slice(0, index)).action)
    expect(phases).toEqual(CODER.map((phase) => ({ do: 'work', phase, because: 'first' })))
    expect(follow(seen)).toMatchObject({ action: { do: 'end', as: 'completed' }, seenRed: true })
  })

  it.each<[string, TaskEvent[], TaskProgress['action']]>([
    ['tests that pass at once', [outcome('already_passing')], { do: 'work', phase: 'tdd', because: 'again' }],
    ['tests that do not load', [outcome('not_collected')], { do: 'work', phase: 'tdd', because: 'again' }],
    ['changed tests', [outcome('red'), outcome('trespassed')], { do: 'work', phase: 'develop', because: 'again' }],
    [
      'two red tries',
      [outcome('red'), outcome('still_red'), outcome('still_red')],
      { do: 'work', phase: 'develop', because: 'again' },
    ],
    [
      'three red tries',
      [outcome('red'), outcome('still_red'), outcome('still_red'), outcome('still_red')],
      { do: 'diagnose', phase: 'develop' },
    ],
    [
      'a diagnosis',
      [outcome('red'), outcome('still_red'), outcome('still_red'), outcome('still_red'), diagnosed],
      { do: 'work', phase: 'develop', because: 'diagnosed' },
    ],
    [
      'one more red try',
      [
        outcome('red'),
        outcome('still_red'),
        outcome('still_red'),
        outcome('still_red'),
        diagnosed,
        outcome('still_red'),
      ],
      { do: 'ask', phase: 'develop', because: 'still_red', type: 'information' },
    ],
    ['a coder who lacks something', [outcome('red'), outcome('blocked')], { do: 'diagnose', phase: 'develop' }],
    [
      'a coder who still does',
      [outcome('red'), outcome('blocked'), diagnosed, outcome('blocked')],
      { do: 'ask', phase: 'develop', because: 'blocked', type: 'information' },
    ],
    [
      'failed gates',
      [outcome('red'), outcome('green'), outcome('fail')],
      { do: 'work', phase: 'develop', because: 'gates' },
    ],
    [
      'a review with blockers',
      [outcome('red'), outcome('green'), outcome('pass'), outcome('not_approved')],
      { do: 'work', phase: 'develop', because: 'review' },
    ],
    [
      'gates that could not be measured',
      [outcome('red'), outcome('green'), outcome('unverified')],
      { do: 'ask', phase: 'verify', because: 'unverified', type: 'decision' },
    ],
    [
      'an agent that could not be asked',
      [outcome('failed')],
      { do: 'ask', phase: 'tdd', because: 'failed', type: 'decision' },
    ],
  ])('after %s', (_, events, action) => {
    expect(follow(events).action).toEqual(action)
  })

  it('is sent back to Develop only so often, by gates and review together', () => {
    const good = [outcome('green'), outcome('pass')]
    const sentBack = [outcome('red'), ...good, outcome('not_approved'), outcome('green'), outcome('fail'), ...good]
    expect(follow([...sentBack, outcome('not_approved')]).action).toEqual({
      do: 'ask',
      phase: 'accept',
      because: 'not_approved',
      type: 'decision',
    })
    expect(follow([...sentBack, outcome('not_approved'), answer('retry')])).toMatchObject({
      returns: 0,
      action: { do: 'work', phase: 'develop', because: 'review' },
    })
  })

  it('without Develop asks a person about what Verify or Accept found', () => {
    expect(advanceTask(startTask(['verify']), outcome('fail')).action.do).toBe('ask')
    expect(advanceTask(startTask(['accept']), outcome('not_approved')).action.do).toBe('ask')
  })
})

describe("a person's word", () => {
  const stuck = follow([outcome('red'), outcome('blocked'), diagnosed, outcome('still_red')])

  it('retry begins the phase anew', () => {
    const again = advanceTask(stuck, answer('retry'))
    expect(again).toMatchObject({
      tries: 0,
      isDiagnosed: false,
      action: { do: 'work', phase: 'develop', because: 'retry' },
    })
    expect(follow([outcome('still_red'), outcome('still_red'), outcome('still_red')], again).action.do).toBe('diagnose')
  })

  it('skip ends it as skipped, silence as blocked', () => {
    expect(advanceTask(stuck, answer('skip')).action).toEqual({ do: 'end', as: 'skipped' })
    expect(advanceTask(stuck, answer('none')).action).toEqual({ do: 'end', as: 'blocked' })
  })

  it('take-over measures what was committed, and goes on from there', () => {
    const taken = advanceTask(stuck, answer('take-over'))
    expect(taken.action).toEqual({ do: 'measure', phase: 'develop' })
    expect(advanceTask(taken, outcome('green')).action).toMatchObject({ do: 'work', phase: 'verify' })
    expect(advanceTask(taken, outcome('still_red')).action.do).toBe('ask')
  })

  it('take-over of the tests looks for red, and takes tests with their implementation for both', () => {
    const noTests = follow([outcome('failed'), answer('take-over')])
    expect(noTests.action).toEqual({ do: 'measure', phase: 'tdd' })
    expect(advanceTask(noTests, outcome('red'))).toMatchObject({ seenRed: true, action: { phase: 'develop' } })
    expect(advanceTask(noTests, outcome('already_passing'))).toMatchObject({
      seenRed: false,
      action: { phase: 'verify' },
    })
    expect(advanceTask(noTests, outcome('no_tests')).action.do).toBe('ask')
  })

  it('take-over of a task without tests runs its phase on what was committed', () => {
    const unverified = follow([outcome('unverified'), answer('take-over')], startTask(['verify']))
    expect(unverified.action).toEqual({ do: 'work', phase: 'verify', because: 'retry' })
  })
})

describe('a merge conflict', () => {
  const done = follow([outcome('red'), outcome('green'), outcome('pass'), outcome('approved')])
  const merged = [outcome('green'), outcome('pass'), outcome('approved')]

  it('goes to the coder once, then to a person', () => {
    const again = advanceTask(done, conflict)
    expect(again.action).toEqual({ do: 'work', phase: 'develop', because: 'conflict' })
    const asked = follow([...merged, conflict], again)
    expect(asked.action).toMatchObject({ do: 'ask', because: 'conflict' })
    expect(advanceTask(asked, answer('retry')).action).toEqual({ do: 'work', phase: 'develop', because: 'conflict' })
  })

  it('of a task without a coder goes to a person at once', () => {
    expect(follow([outcome('red'), conflict], startTask(['tdd'])).action).toMatchObject({
      do: 'ask',
      because: 'conflict',
    })
  })
})

describe('a merge that git could not do', () => {
  it('is asked about, and tried again after one more review', () => {
    const done = follow([outcome('red'), outcome('green'), outcome('pass'), outcome('approved'), unmerged])
    expect(done.action).toEqual({ do: 'ask', phase: 'accept', because: 'failed', type: 'decision' })
    expect(follow([answer('retry'), outcome('approved')], done).action).toEqual({ do: 'end', as: 'completed' })
  })
})

describe('every task, whatever happens', () => {
  const KINDS = AgentType.options.flatMap((agentType) =>
    [true, false].flatMap((tdd) =>
      [true, false].flatMap((hasQuestion) =>
        [true, false].map((hasTests) => phasesOf({ agentType, tdd, hasQuestion, hasTests })),
      ),
    ),
  )
  const SHAPES = [...new Map(KINDS.map((phases) => [phases.join(), { name: phases.join(), phases }])).values()]

  it.each(SHAPES)('with phases $name: no state is without a next one, and none breaks a promise', ({ phases }) => {
    const states = reachable(startTask(phases))
    expect(states.size).toBeGreaterThan(phases.length)
    for (const { task, events } of states.values()) {
      expect(events.length > 0 || task.action.do === 'end').toBe(true)
      expect(task.returns).toBeLessThanOrEqual(TASK_LIMITS.returns)
      expect(task.tries).toBeLessThanOrEqual(TASK_LIMITS.tries)
      expect(task.phases).toContain(task.phase)
      if (task.action.do === 'work') expect(task.phases).toContain(task.action.phase)
    }
  })

  it.each(SHAPES)('with phases $name: it comes to a person or an end after a bounded number of calls', ({ phases }) => {
    const states = reachable(startTask(phases))
    const longest = new Map<string, number>()
    const depth = (key: string, path: ReadonlySet<string>): number => {
      const known = longest.get(key)
      if (known !== undefined) return known
      expect(path.has(key)).toBe(false)
      const state = states.get(key)
      if (state === undefined || state.task.action.do === 'ask' || isEnd(state.task)) return 0
      const nexts = state.events.map((event) => depth(keyOf(advanceTask(state.task, event)), new Set([...path, key])))
      const calls = 1 + Math.max(...nexts)
      longest.set(key, calls)
      return calls
    }
    expect(depth(keyOf(startTask(phases)), new Set())).toBeLessThanOrEqual(40)
  })

  it('completes only after tests were green, gates passed and a review approved, all since the last change', () => {
    const first: Walk = { task: startTask(CODER), green: false, passed: false, approved: false }
    const seen = new Set<string>()
    const open = [first]
    for (let walk = open.pop(); walk !== undefined; walk = open.pop()) {
      const key = JSON.stringify(walk)
      if (seen.has(key)) continue
      seen.add(key)
      const { task, ...proof } = walk
      if (isCompletedTask(task)) expect(proof).toEqual({ green: true, passed: true, approved: true })
      open.push(...eventsOf(task).map((event) => step(walk, event)))
    }
    expect(seen.size).toBeGreaterThan(500)
  })
})

interface Walk {
  task: TaskProgress
  green: boolean
  passed: boolean
  approved: boolean
}

/** What has been measured on the code as it is: an editing phase makes all of it old. */
function step(walk: Walk, event: TaskEvent): Walk {
  const task = advanceTask(walk.task, event)
  if (event.kind === 'answer' && event.answer === 'take-over' && task.action.do === 'measure')
    return { task, green: false, passed: false, approved: false }
  if (event.kind === 'unmerged' && event.because === 'conflict')
    return { task, green: false, passed: false, approved: false }
  if (event.kind !== 'outcome') return { ...walk, task }
  const { phase } = walk.task
  if (phase === 'tdd')
    return {
      task,
      green: event.outcome === 'already_passing' && task.phase === 'verify',
      passed: false,
      approved: false,
    }
  if (phase === 'develop') return { task, green: event.outcome === 'green', passed: false, approved: false }
  if (phase === 'verify') return { ...walk, task, passed: event.outcome === 'pass', approved: false }
  return { ...walk, task, approved: event.outcome === 'approved' }
}

function isEnd({ action }: TaskProgress): boolean {
  return action.do === 'end'
}

function isCompletedTask({ action }: TaskProgress): boolean {
  return action.do === 'end' && action.as === 'completed'
}

function eventsOf(task: TaskProgress): TaskEvent[] {
  const { action } = task
  if (action.do === 'ask') return (['retry', 'take-over', 'skip', 'none'] as const).map(answer)
  if (action.do === 'diagnose') return [diagnosed]
  if (action.do === 'end') return action.as === 'completed' ? [conflict, unmerged] : []
  const words = Object.keys(OUTCOMES[action.phase]) as Outcome[]
  const common = action.do === 'work' ? COMMON_OUTCOMES : (['failed'] as const)
  return [...words, ...common].map(outcome)
}

function keyOf(task: TaskProgress): string {
  return JSON.stringify(task)
}

function reachable(start: TaskProgress): Map<string, { task: TaskProgress; events: TaskEvent[] }> {
  const states = new Map<string, { task: TaskProgress; events: TaskEvent[] }>()
  const open = [start]
  for (let task = open.pop(); task !== undefined; task = open.pop()) {
    const key = keyOf(task)
    if (states.has(key)) continue
    const events = eventsOf(task)
    states.set(key, { task, events })
    // A person and a merge may come again and again: their counts start anew, so that the states stay finite.
    open.push(...events.map((event) => advanceTask(task, event)))
  }
  return states
}

describe('an outcome', () => {
  it.each([
    ['tdd', 'red', 'good'],
    ['develop', 'green', 'good'],
    ['verify', 'unverified', 'stop'],
    ['accept', 'approved', 'good'],
    ['verify', 'failed', 'stop'],
    ['develop', 'blocked', 'blocked'],
    ['tdd', 'green', null],
    ['accept', 'pass', null],
  ] as const)('of %s that is %s means %s', (phase, word, meaning) => {
    expect(meaningOf(phase, word)).toBe(meaning)
  })

  it('that a phase cannot have, and an event out of turn, are bugs', () => {
    expect(() => follow([outcome('green')])).toThrow('tdd cannot end as green')
    expect(() => follow([diagnosed])).toThrow('a task that is to work has no diagnosed')
    expect(() => follow([conflict])).toThrow('a task that is to work has no unmerged')
    expect(() => startTask([])).toThrow()
  })
})
