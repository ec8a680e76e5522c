import { describe, expect, it } from 'vitest'
import {
  CIRCT_STEPS,
  type CirctFacts,
  type CirctSchedule,
  type CirctStep,
  decideCirct,
  mayMatter,
  phaseOf,
} from '../../../src/rules/circt/schedule.js'

/** Every outcome a step can have, so that a walk over their product is every possible run. */
const OUTCOMES = {
  reproduce: ['yes', 'no', 'inconclusive', 'failed'],
  root_cause_analysis: ['done', 'failed'],
  minimize: ['done', 'failed'],
  validate: ['report', 'feature_request', 'existing_issue', 'not_a_bug', 'invalid_testcase', 'failed'],
  check_duplicates: ['new', 'duplicate', 'failed'],
  generate_issue: ['done', 'failed'],
} as const satisfies Record<CirctStep, readonly string[]>

type Script = Record<CirctStep, string> & { confirmation: 'duplicate' | 'report' }

function* everyScript(): Generator<Script> {
  const walk = function* (names: readonly CirctStep[], chosen: Partial<Script>): Generator<Partial<Script>> {
    const [name, ...rest] = names
    if (name === undefined) return yield chosen
    for (const outcome of OUTCOMES[name]) yield* walk(rest, { ...chosen, [name]: outcome })
  }
  for (const script of walk(CIRCT_STEPS, {})) {
    yield { ...script, confirmation: 'duplicate' } as Script
    if (script.check_duplicates === 'duplicate') yield { ...script, confirmation: 'report' } as Script
  }
}

/** All ends a script can come to, over every order in which running steps may finish. Visits each set of facts once. */
function everyEnd(schedule: CirctSchedule, script: Script): Set<string> {
  const ends = new Set<string>()
  const seen = new Set<string>()
  const visit = (facts: CirctFacts): void => {
    const id = JSON.stringify(Object.entries(facts).sort())
    if (seen.has(id)) return
    seen.add(id)
    const decision = decideCirct(schedule, facts)
    if (decision.end !== null) return void ends.add(`${decision.end.verdict} ${keptSteps(facts).join(',')}`)
    const next: Record<string, string | undefined> = { ...facts }
    for (const step of decision.cancel) next[step] = 'canceled'
    for (const step of decision.start) next[step] = 'running'
    if (decision.asks) next['confirmation'] = script.confirmation
    const running = CIRCT_STEPS.filter((step) => next[step] === 'running')
    const hasMoved = JSON.stringify(next) !== JSON.stringify(facts)
    expect(running.length > 0 || hasMoved, `a run must never stand still: ${id}`).toBe(true)
    if (running.length === 0) return visit(next)
    for (const step of running) visit({ ...next, [step]: script[step] })
  }
  visit({})
  return ends
}

/** Steps whose files stay: finished, and not ruled out by what came out elsewhere. */
function keptSteps(facts: CirctFacts): CirctStep[] {
  return CIRCT_STEPS.filter((step) => facts[step] !== undefined && facts[step] !== 'canceled' && mayMatter(step, facts))
}

describe('decideCirct', () => {
  it('ends alike in all schedules, for every combination of outcomes and every completion order', () => {
    let scripts = 0
    for (const script of everyScript()) {
      const phased = everyEnd('phased', script)
      expect([...phased], JSON.stringify(script)).toHaveLength(1)
      expect(everyEnd('eager', script), JSON.stringify(script)).toEqual(phased)
      expect(everyEnd('serial', script), JSON.stringify(script)).toEqual(phased)
      scripts += 1
    }
    expect(scripts).toBe(4 * 2 * 2 * 6 * 4 * 2)
  })

  it.each([
    ['reproduce says no', { reproduce: 'no', root_cause_analysis: 'done' }, 'reproduce_failed'],
    ['reproduce is inconclusive', { reproduce: 'inconclusive', root_cause_analysis: 'done' }, 'error'],
    ['reproduce fails', { reproduce: 'failed', root_cause_analysis: 'done' }, 'error'],
    ['minimize fails', { ...phaseOne(), minimize: 'failed', check_duplicates: 'new' }, 'error'],
    ['validate says not_a_bug', { ...phaseTwo(), validate: 'not_a_bug' }, 'not_a_bug'],
    ['validate says invalid_testcase', { ...phaseTwo(), validate: 'invalid_testcase' }, 'not_a_bug'],
    ['validate says existing_issue', { ...phaseTwo(), validate: 'existing_issue' }, 'duplicate'],
    [
      'a duplicate is confirmed',
      { ...phaseTwo(), check_duplicates: 'duplicate', confirmation: 'duplicate' },
      'duplicate',
    ],
    [
      'validation outranks a duplicate',
      { ...phaseTwo(), validate: 'not_a_bug', check_duplicates: 'duplicate' },
      'not_a_bug',
    ],
    ['the report is written', { ...phaseTwo(), generate_issue: 'done' }, 'report_ready'],
    ['the report fails', { ...phaseTwo(), generate_issue: 'failed' }, 'error'],
  ] as const)('ends when %s', (_, facts, verdict) => {
    expect(decideCirct('eager', facts as CirctFacts).end?.verdict).toBe(verdict)
  })

  it.each([
    ['root cause fails', { ...phaseTwo(), root_cause_analysis: 'failed' }],
    ['validate fails', { ...phaseTwo(), validate: 'failed' }],
    ['the duplicate search fails', { ...phaseTwo(), check_duplicates: 'failed' }],
    ['the duplicate is overruled', { ...phaseTwo(), check_duplicates: 'duplicate', confirmation: 'report' }],
    ['it is a feature request', { ...phaseTwo(), validate: 'feature_request' }],
  ] as const)('goes on to the report when %s', (_, facts) => {
    expect(decideCirct('phased', facts as CirctFacts)).toMatchObject({ start: ['generate_issue'], end: null })
  })

  it('asks a person before a probable duplicate ends the run', () => {
    const decision = decideCirct('eager', { ...phaseTwo(), check_duplicates: 'duplicate' })
    expect(decision).toEqual({ start: [], cancel: [], asks: true, end: null })
  })

  it('starts reproduce, root cause and minimize at once when eager, and only phase one when phased', () => {
    expect(decideCirct('eager', {}).start).toEqual(['reproduce', 'root_cause_analysis', 'minimize'])
    expect(decideCirct('phased', {}).start).toEqual(['reproduce', 'root_cause_analysis'])
    expect(decideCirct('serial', {}).start).toEqual(['reproduce'])
  })

  it('cancels a reduction whose crash does not reproduce', () => {
    const facts: CirctFacts = { reproduce: 'no', root_cause_analysis: 'running', minimize: 'running' }
    expect(decideCirct('eager', facts)).toMatchObject({ cancel: ['minimize'], end: null })
  })
})

describe('phaseOf', () => {
  it.each([
    [{}, 'phase1_parallel'],
    [{ reproduce: 'yes', minimize: 'done', validate: 'report' }, 'phase1_parallel'],
    [phaseOne(), 'phase2_parallel'],
    [{ ...phaseTwo(), check_duplicates: 'duplicate' }, 'phase2_parallel'],
    [phaseTwo(), 'phase3_final'],
  ] as const)('of %o is %s', (facts, phase) => {
    expect(phaseOf(facts as CirctFacts)).toBe(phase)
  })
})

function phaseOne() {
  return { reproduce: 'yes', root_cause_analysis: 'done' } as const
}

function phaseTwo() {
  return { ...phaseOne(), minimize: 'done', validate: 'report', check_duplicates: 'new' } as const
}
