import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Budget } from '../../src/contracts/budget.js'
import {
  addSpent,
  addUsage,
  type BudgetQuestion,
  decideBudget,
  grantAgain,
  NO_USAGE,
  NOTHING_SPENT,
} from '../../src/rules/budget.js'

const NONE: Budget = { tokens: null, cost: null, rounds: null, seconds: null }

function question(
  rest: { limits?: Partial<Budget>; spent?: Partial<BudgetQuestion['spent']> } & Partial<
    Omit<BudgetQuestion, 'limits' | 'spent'>
  >,
): BudgetQuestion {
  const { limits, spent, ...more } = rest
  return {
    reserved: { calls: 0, tokens: 0, cost: 0 },
    parallel: 1,
    isNewRound: true,
    ...more,
    limits: { ...NONE, ...limits },
    spent: { ...NOTHING_SPENT, ...spent },
  }
}

describe('a budget', () => {
  it('that is none lets every call start', () => {
    expect(decideBudget(question({ spent: { tokens: 1e9, cost: 1e6, rounds: 1e6, seconds: 1e9 } }))).toEqual({
      go: true,
      allowance: { tokens: null, cost: null },
      seconds: null,
    })
  })

  it.each([
    ['tokens', { limits: { tokens: 10_000 }, spent: { tokens: 9_000 } }, true],
    ['tokens', { limits: { tokens: 10_000 }, spent: { tokens: 9_001 } }, false],
    ['cost', { limits: { cost: 1 }, spent: { cost: 0.98 } }, true],
    ['cost', { limits: { cost: 1 }, spent: { cost: 0.995 } }, false],
    ['rounds', { limits: { rounds: 3 }, spent: { rounds: 2 } }, true],
    ['rounds', { limits: { rounds: 3 }, spent: { rounds: 3 } }, false],
    ['seconds', { limits: { seconds: 60 }, spent: { seconds: 55 } }, true],
    ['seconds', { limits: { seconds: 60 }, spent: { seconds: 55.1 } }, false],
  ] as const)('of %s: %j lets a call start: %s', (kind, given, go) => {
    expect(decideBudget(question(given))).toMatchObject(go ? { go } : { go, kind, mayFree: false })
  })

  it('does not count asking again as a round', () => {
    expect(decideBudget(question({ limits: { rounds: 1 }, spent: { rounds: 1 }, isNewRound: false })).go).toBe(true)
  })

  it('gives a call what is left as its allowance, and the time that is left', () => {
    const decision = decideBudget(
      question({ limits: { tokens: 10_000, cost: 2, seconds: 100 }, spent: { tokens: 4_000, cost: 0.5, seconds: 40 } }),
    )
    expect(decision).toEqual({ go: true, allowance: { tokens: 6_000, cost: 1.5 }, seconds: 60 })
  })

  it('is shared by the calls that may run at once, and waits for one of them when the rest is too little', () => {
    const limits = { tokens: 9_000 }
    expect(decideBudget(question({ limits, parallel: 3 }))).toMatchObject({ allowance: { tokens: 3_000 } })
    const reserved = { calls: 1, tokens: 3_000, cost: 0 }
    expect(decideBudget(question({ limits, parallel: 3, reserved }))).toMatchObject({ allowance: { tokens: 3_000 } })
    const all = { calls: 1, tokens: 9_000, cost: 0 }
    expect(decideBudget(question({ limits, parallel: 1, reserved: all }))).toMatchObject({ go: false, mayFree: true })
  })

  it('that cannot be measured stops, and says so', () => {
    const spent = { untold: { tokens: 0, cost: 2 } }
    expect(decideBudget(question({ limits: { tokens: 5_000 }, spent })).go).toBe(true)
    expect(decideBudget(question({ limits: { cost: 5 }, spent }))).toMatchObject({
      go: false,
      kind: 'cost',
      reason: 'agents did not tell what they cost (2 calls), so that the limit cannot be kept',
    })
  })

  it('is never passed by agents that keep their allowance, however many run at once', () => {
    const steps = fc.array(
      fc.record({
        starts: fc.boolean(),
        parallel: fc.integer({ min: 1, max: 5 }),
        used: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      { maxLength: 60 },
    )
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50_000 }), steps, (tokens, list) => {
        const limits = { ...NONE, tokens }
        const inHand: number[] = []
        let spent = NOTHING_SPENT
        for (const { starts, parallel, used } of list) {
          if (starts) {
            const reserved = { calls: inHand.length, tokens: inHand.reduce((sum, each) => sum + each, 0), cost: 0 }
            const decision = decideBudget(question({ limits, spent, parallel, reserved }))
            if (decision.go) inHand.push(decision.allowance.tokens ?? 0)
          } else if (inHand.length > 0) {
            const allowance = inHand.shift() ?? 0
            spent = addSpent(spent, { ...NO_USAGE, input_tokens: Math.floor(allowance * used), output_tokens: 0 })
          }
          expect(spent.tokens).toBeLessThanOrEqual(tokens)
        }
      }),
    )
  })
})

describe('a fresh allowance', () => {
  it('is the same again from here on', () => {
    const budget = { ...NONE, tokens: 1_000, cost: 2 }
    const spent = { ...NOTHING_SPENT, tokens: 1_200, cost: 1 }
    const limits = grantAgain(budget, { limits: budget, spent }, 'tokens')
    expect(limits).toEqual({ ...budget, tokens: 2_200 })
    expect(grantAgain(budget, { limits, spent: { ...spent, tokens: 2_300 } }, 'tokens').tokens).toBe(3_300)
  })

  it('lifts a limit that cannot be measured', () => {
    const budget = { ...NONE, cost: 2 }
    const spent = addSpent(NOTHING_SPENT, null)
    expect(grantAgain(budget, { limits: budget, spent }, 'cost').cost).toBeNull()
  })
})

describe('usage', () => {
  it('adds up what is told, and stays unknown where nobody told anything', () => {
    const told = { input_tokens: 1, output_tokens: 2, cost: 0.5, seconds: 1 }
    const untold = { input_tokens: null, output_tokens: null, cost: null, seconds: 2 }
    expect(addUsage(told, told)).toEqual({ input_tokens: 2, output_tokens: 4, cost: 1, seconds: 2 })
    expect(addUsage(told, untold)).toEqual({ ...told, seconds: 3 })
    expect(addUsage(untold, untold)).toEqual({ ...untold, seconds: 4 })
  })

  it('of a run counts the calls that told nothing', () => {
    const half = { input_tokens: 5, output_tokens: null, cost: 0.1, seconds: 1 }
    expect(addSpent(addSpent(NOTHING_SPENT, half), null)).toMatchObject({
      tokens: 5,
      cost: 0.1,
      untold: { tokens: 2, cost: 1 },
    })
  })
})
