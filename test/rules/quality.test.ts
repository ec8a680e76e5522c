import { describe, expect, it } from 'vitest'
import type { GateName, GateStatus } from '../../src/contracts/quality.js'
import { qualityScore } from '../../src/rules/quality-score.js'
import { decideOverall, GATES, isBlocking, qualityOf } from '../../src/rules/quality.js'
import { someGates } from '../support/gates-report.js'

describe('quality levels', () => {
  it.each([
    ['fast', { tdd: false, minCoverage: 0, strictLint: false, securityScan: false, e2eTests: false }],
    ['balanced', { tdd: false, minCoverage: 60, strictLint: true, securityScan: true, e2eTests: false }],
    ['strict', { tdd: true, minCoverage: 80, strictLint: true, securityScan: true, e2eTests: true }],
  ] as const)('%s asks for what its table says, and an unavailable gate blocks', (level, values) => {
    expect(qualityOf(level)).toEqual({ level, ...values, unavailable: 'block' })
    expect(qualityOf(null, { level })).toEqual(qualityOf(level))
  })

  it('is strict when nobody says anything', () => {
    expect(qualityOf(null).level).toBe('strict')
  })

  it("takes the project's own values over its level's", () => {
    const own = { level: 'balanced', minCoverage: 72.5, unavailable: 'warn' } as const
    expect(qualityOf(null, own)).toMatchObject({ ...own, securityScan: true })
  })

  it("takes the level that was asked for over all of the project's values but what unavailable does", () => {
    const own = { level: 'strict', minCoverage: 95, unavailable: 'warn' } as const
    expect(qualityOf('fast', own)).toEqual({ ...qualityOf('fast'), unavailable: 'warn' })
  })
})

describe('which gates block', () => {
  it.each<[level: 'fast' | 'balanced' | 'strict', gates: GateName[]]>([
    ['fast', ['build', 'test', 'e2e', 'acceptance']],
    ['balanced', [...GATES]],
    ['strict', [...GATES]],
  ])('at %s: %j', (level, gates) => {
    expect(GATES.filter((name) => isBlocking(name, qualityOf(level)))).toEqual(gates)
  })

  it('coverage blocks from any minimum above zero', () => {
    expect(isBlocking('coverage', { ...qualityOf('fast'), minCoverage: 0.1 })).toBe(true)
  })
})

describe('the overall verdict', () => {
  const verdict = (statuses: Partial<Record<GateName, GateStatus>>, unavailable: 'block' | 'warn' = 'block') =>
    decideOverall(someGates(statuses), { ...qualityOf('strict'), unavailable }).overallStatus

  it.each<[Partial<Record<GateName, GateStatus>>, string]>([
    [{}, 'pass'],
    [{ build: 'skipped', coverage: 'skipped', security: 'skipped', e2e: 'skipped' }, 'pass'],
    [{ test: 'skipped' }, 'unverified'],
    [{ test: 'unavailable' }, 'unverified'],
    [{ security: 'unavailable' }, 'unverified'],
    [{ security: 'unavailable', lint: 'fail' }, 'fail'],
    [{ test: 'skipped', build: 'fail' }, 'fail'],
  ])('of %j is %s', (statuses, expected) => {
    expect(verdict(statuses)).toBe(expected)
  })

  it.each(GATES)('fails when %s, blocking, fails', (name) => {
    expect(verdict({ [name]: 'fail' })).toBe('fail')
  })

  it('passes over an unavailable gate when the config says warn, but never over missing tests', () => {
    expect(verdict({ security: 'unavailable' }, 'warn')).toBe('pass')
    expect(verdict({ test: 'unavailable' }, 'warn')).toBe('unverified')
  })

  it('passes over a failed gate that does not block', () => {
    const gates = someGates({ lint: 'fail' })
    const mild = { ...gates, lint: { ...gates.lint, isBlocking: false } }
    expect(decideOverall(mild, qualityOf('fast'))).toEqual({ overallStatus: 'pass', reasons: [] })
  })

  it('says why, a line for each gate', () => {
    const { reasons } = decideOverall(someGates({ build: 'fail', lint: 'fail' }), qualityOf('strict'))
    expect(reasons).toEqual(['build failed: of build', 'lint failed: of lint'])
  })
})

describe('the score', () => {
  it('is 100 when all that ran passed, however few they were', () => {
    expect(qualityScore(someGates({}), 'balanced')).toBeCloseTo(100, 9)
    const few = someGates({ coverage: 'skipped', security: 'unavailable', e2e: 'skipped', acceptance: 'skipped' })
    expect(qualityScore(few, 'balanced')).toBeCloseTo(100, 9)
  })

  it('is over the weights of what ran: build .2 of .5 failed is 60', () => {
    const gates = someGates({
      build: 'fail',
      coverage: 'skipped',
      lint: 'skipped',
      security: 'skipped',
      e2e: 'skipped',
      acceptance: 'skipped',
    })
    expect(qualityScore(gates, 'balanced')).toBeCloseTo(60, 9)
  })

  it('counts the share of tests that passed and of the coverage that was asked for', () => {
    const only = someGates(Object.fromEntries(GATES.map((name) => [name, 'skipped'])))
    const test = { ...only.test, status: 'fail', outcome: 'failed', passed: 3, failed: 1 } as const
    expect(qualityScore({ ...only, test }, 'strict')).toBeCloseTo(75, 9)
    const coverage = { ...only.coverage, status: 'fail', line: 40, threshold: 80 } as const
    expect(qualityScore({ ...only, coverage }, 'strict')).toBeCloseTo(50, 9)
    expect(qualityScore({ ...only, test: { ...test, outcome: 'not_collected' } }, 'strict')).toBe(0)
  })

  it('is null when nothing ran', () => {
    expect(qualityScore(someGates(Object.fromEntries(GATES.map((name) => [name, 'skipped']))), 'strict')).toBeNull()
  })
})
