import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RunState, Step } from '../../src/contracts/run.js'
import { newLines, plainLine, plainText, stepTable } from '../../src/rules/cli-progress.js'

const START = '2026-01-28T14:00:00.000Z'
const NOW_TEXT = '2026-01-28T14:00:05.000Z'
const NOW = Date.parse(NOW_TEXT)

describe('stepTable', () => {
  it('has one line per step: mark, name, state, attempt, elapsed, note', () => {
    const steps = [
      step('reproduce', {
        status: 'passed',
        attempt: 1,
        started_at: START,
        ended_at: '2026-01-28T14:00:01.500Z',
        note: 'exact_match',
      }),
      step('minimize', { status: 'running', attempt: 2, started_at: START }),
      step('validate', {}),
    ]
    expect(stepTable(steps, { nowMs: NOW, width: 100 })).toEqual([
      '✔  reproduce  passed              1.5 s  exact_match',
      '▶  minimize   running  attempt 2  5.0 s',
      '·  validate   pending',
    ])
  })

  it('never makes a line that is wider than the screen, so that it can be drawn again in place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.integer({ min: 20, max: 200 }), (note, width) => {
        const [line = ''] = stepTable([step('s', { note })], { nowMs: NOW, width })
        expect(Array.from(line).length).toBeLessThanOrEqual(width)
        expect(line).not.toMatch(/\p{Cc}/u)
      }),
    )
  })
})

describe('newLines', () => {
  it('says what changed since the last look, and nothing else', () => {
    const before = state([
      step('reproduce', { status: 'running', attempt: 1, started_at: START }),
      step('minimize', {}),
    ])
    const after = state([
      step('reproduce', {
        status: 'passed',
        attempt: 1,
        started_at: START,
        ended_at: '2026-01-28T14:00:02.000Z',
        note: 'exact_match',
      }),
      step('minimize', {}),
    ])
    expect(newLines(null, before, NOW)).toEqual(['▶ reproduce running'])
    expect(newLines(before, before, NOW)).toEqual([])
    expect(newLines(before, after, NOW)).toEqual(['✔ reproduce passed (2.0 s): exact_match'])
  })

  it('shows another attempt of the same step', () => {
    const first = state([step('reproduce', { status: 'running', attempt: 1, started_at: START })])
    const second = state([
      step('reproduce', { status: 'running', attempt: 2, started_at: START, note: 'Tool.TimedOut' }),
    ])
    expect(newLines(first, second, NOW)).toEqual(['▶ reproduce running, attempt 2: Tool.TimedOut'])
  })

  it('shows a step that was done anew and ended as it had ended before', () => {
    const done = (started_at: string, note: string) =>
      state([step('aggregate', { status: 'passed', attempt: 1, started_at, ended_at: NOW_TEXT, note })])
    const second = '2026-01-28T14:00:04.000Z'
    expect(newLines(done(START, 'round 1'), done(second, 'round 2'), NOW)).toEqual([
      '✔ aggregate passed (1.0 s): round 2',
    ])
  })

  it('says once that the run is paused', () => {
    const paused = { ...state([]), status: 'paused' as const }
    expect(newLines(null, paused, NOW)).toEqual(['paused: gauntlet resume goes on'])
    expect(newLines(paused, paused, NOW)).toEqual([])
  })
})

describe('text of tools and strangers', () => {
  it('becomes one line that cannot steer a terminal', () => {
    expect(plainLine('a\u001b[31mred\u0007\r\nb\u202eevil\u009b2J')).toBe('a [31mred b evil 2J')
  })

  it('keeps its lines where lines are wanted', () => {
    expect(plainText('a\n\tb\u001b]0;title\u0007\r\n')).toBe('a\n\tb]0;title\n')
  })
})

function step(name: string, more: Partial<Step>): Step {
  return { name, status: 'pending', attempt: 0, started_at: null, ended_at: null, note: null, ...more }
}

function state(steps: Step[]): RunState {
  return {
    pipeline: 'circt',
    run_id: 'r',
    status: 'running',
    phase: 'phase1_parallel',
    steps,
    questions: [],
    usage: { tokens: 0, cost: 0, seconds: 0 },
    artifacts: [],
    verdict: null,
  }
}
