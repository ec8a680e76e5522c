import { describe, expect, it } from 'vitest'
import type { DefectAnalysis } from '../../../src/contracts/eval-answers.js'
import {
  attackVerdict,
  type AttackSummary,
  resurrectionVerdict,
  reviewVerdict,
} from '../../../src/rules/eval/attack-verdict.js'
import { confidenceOf, marginFactor, robustnessFactor, stabilityFactor } from '../../../src/rules/eval/confidence.js'
import { choiceAgreement, decisionPath, isConsensus } from '../../../src/rules/eval/consensus.js'
import { groundAnalysis } from '../../../src/rules/eval/evidence.js'
import { thresholdOf, upgradeMode } from '../../../src/rules/eval/modes.js'
import { type Cell, isMilder } from '../../../src/rules/eval/resurrection.js'

const attack = (
  recommendation: AttackSummary['recommendation'],
  criticals = 1,
  confidence: AttackSummary['confidence'] = 'Medium',
): AttackSummary => ({ recommendation, criticals, confidence, reason: 'so' })

describe('the devil’s advocates', () => {
  it.each<[what: string, attacks: AttackSummary[], isOut: boolean, robustness: number | null]>([
    ['nobody attacked', [], false, null],
    ['one says go on', [attack('continue', 0)], false, 1],
    ['one asks for mitigation', [attack('require_mitigation', 0)], false, 0.5],
    ['one is sure of a Critical defect', [attack('eliminate')], true, 0],
    ['one is not sure', [attack('eliminate', 1, 'Low')], false, 0],
    ['one is against it and names no Critical defect', [attack('eliminate', 0, 'High')], false, 0],
    ['two of two', [attack('eliminate'), attack('eliminate')], true, 0],
    ['one of two, however sure', [attack('eliminate', 3, 'High'), attack('continue', 0)], false, 0.5],
    ['one High and one Low make two', [attack('eliminate', 1, 'High'), attack('eliminate', 1, 'Low')], true, 0],
  ])('%s', (_, attacks, isOut, robustness) => {
    expect(attackVerdict(attacks)).toEqual({ isOut, robustness })
  })
})

describe('round 4', () => {
  it.each([
    [[], null],
    [['qualified'], 'qualified'],
    [['qualified', 'needs_mitigation'], 'needs_mitigation'],
    [['qualified', 'disqualified'], 'needs_mitigation'],
    [['qualified', 'disqualified', 'disqualified'], 'disqualified'],
  ] as const)('reviews %j come to %j', (reviews, verdict) => {
    expect(reviewVerdict(reviews)).toBe(verdict)
  })

  it.each([
    [[], 'needs_review'],
    [[['resurrect', 'Low']], 'resurrect'],
    [[['stay_eliminated', 'Low']], 'stay_eliminated'],
    [[['needs_review', 'High']], 'needs_review'],
    [
      [
        ['resurrect', 'High'],
        ['stay_eliminated', 'Medium'],
      ],
      'resurrect',
    ],
    [
      [
        ['resurrect', 'Medium'],
        ['stay_eliminated', 'Medium'],
      ],
      'needs_review',
    ],
    [
      [
        ['resurrect', 'Medium'],
        ['stay_eliminated', 'Low'],
        ['stay_eliminated', 'Low'],
      ],
      'needs_review',
    ],
    [
      [
        ['resurrect', 'High'],
        ['needs_review', 'Low'],
      ],
      'resurrect',
    ],
  ] as const)('evaluators %j come to %s', (answers, verdict) => {
    expect(resurrectionVerdict(answers.map(([decision, confidence]) => ({ decision, confidence })))).toBe(verdict)
  })

  const cell = (
    score: number | null,
    majors = 0,
    angles: Cell['angles'] = ['correctness', 'fit', 'security'],
  ): Cell => ({
    score,
    severities: { Critical: 0, Major: majors, Minor: 0 },
    angles,
  })

  it.each<[what: string, out: (Cell | null)[], best: (Cell | null)[], isMilder: boolean | null]>([
    ['half a point ahead', [cell(7.5)], [cell(7)], true],
    ['less than that', [cell(7.4)], [cell(7)], false],
    ['ahead with heavier defects', [cell(9, 2)], [cell(7, 1)], false],
    ['ahead with lighter defects', [cell(9, 1)], [cell(7, 2)], true],
    ['analysed from two angles only', [cell(9, 0, ['fit', 'security'])], [cell(7)], null],
    ['no judge scored both', [cell(9), null], [null, cell(1)], null],
    ['nobody analysed it', [null], [cell(1)], null],
  ])('whoever is out may come back: %s', (_, out, best, expected) => {
    expect(isMilder(out, best)).toBe(expected)
  })
})

describe('confidence', () => {
  it.each([
    [[1, 1, 1, 1], 'A', 1, 'Very High'],
    [[1, 1, 0.5, 0.5], 'B', 0.85, 'High'],
    [[0.8, 0.8, 0.4, 0.8], 'A', 0.9, 'Very High'],
    [[0.8, 0.8, 0.4, 0.8], 'B', 0.8, 'High'],
    [[0.8, 0.8, 0.4, 0.8], 'C', 0.6, 'Medium'],
    [[0.8, 0.8, 0.39, 0.8], 'C', 0.5975, 'Low'],
    [[0.5, 0.5, 0.5, 0.5], 'C', 0.4, 'Low'],
    [[0.5, 0.5, 0.5, 0.49], 'C', 0.3975, 'Very Low'],
    [[0.2, 0, 0, 0.25], 'C', 0.0125, 'Very Low'],
    [[0, 0, 0, 0], 'C', 0, 'Very Low'],
  ] as const)('of %j by path %s is %d, %s', ([consensus, stability, robustness, margin], path, score, level) => {
    const result = confidenceOf({ consensus, stability, robustness, margin }, path)
    expect(result.score).toBeCloseTo(score, 9)
    expect(result.level).toBe(level)
  })

  it.each([
    [null, 0.25],
    [0, 0.25],
    [0.49, 0.25],
    [0.5, 0.5],
    [8.3 - 7.8, 0.5],
    [0.99, 0.5],
    [1, 0.75],
    [1.99, 0.75],
    [2, 1],
    [9, 1],
  ])('a margin of %j counts %d', (points, factor) => {
    expect(marginFactor(points)).toBe(factor)
  })

  it('takes robustness from the attacks, else from what is known', () => {
    expect([robustnessFactor(1, true), robustnessFactor(null, false), robustnessFactor(null, true)]).toEqual([
      1, 0.5, 0,
    ])
  })

  it('takes stability from the juries that lack one judge', () => {
    const rows = [
      [9, 1],
      [9, 1],
      [1, 9],
    ]
    // Without either of the first two the rest is level.
    expect(stabilityFactor(rows, [0, 1], 0)).toBeCloseTo(1 / 3)
    expect(stabilityFactor([[9, 1]], [0, 1], 0)).toBe(0)
    expect(stabilityFactor([...rows, [9, 1]], [0, 1], 0)).toBe(1)
  })
})

describe('consensus', () => {
  it('is the share of all seats that put nobody above the winner', () => {
    const rows = [[9, 1, 2], [9, 9, 2], [1, 2, 3], null, [null, 5, 5]]
    expect(choiceAgreement(rows, { candidates: [0, 1, 2], winner: 0 })).toEqual({
      level: 'weak',
      ratio: 0.4,
      judges: 2,
    })
    expect(choiceAgreement(rows.slice(0, 3), { candidates: [0, 1], winner: 0 }).level).toBe('moderate')
  })

  it.each([
    ['unanimous', 'Very High', true],
    ['moderate', 'Medium', true],
    ['weak', 'Very High', false],
    ['unanimous', 'Low', false],
  ] as const)('%s with %s confidence passes gate 4: %s', (level, confidence, passes) => {
    expect(isConsensus(level, confidence)).toBe(passes)
  })

  it.each([
    [true, true, false, 'A'],
    [true, false, false, 'B'],
    [false, true, false, 'B'],
    [true, true, true, 'C'],
  ] as const)(
    'leads throughout %s, gates %s, contested %s: path %s',
    (leadsThroughout, allGatesPassed, isContested, path) => {
      expect(decisionPath({ leadsThroughout, allGatesPassed, isContested })).toBe(path)
    },
  )
})

describe('evidence', () => {
  const text = 'function f(a) {\n  return   eval(a)\n}\n'
  const defect = (
    evidence: string[],
    category: 'security' | 'fit' = 'security',
  ): DefectAnalysis['defects'][number] => ({
    id: 'D1',
    title: `on ${category}`,
    severity: 'Critical',
    category,
    description: 'd',
    impact: 'i',
    mitigation: 'm',
    evidence,
  })
  const analysis = (rest: Partial<DefectAnalysis>): DefectAnalysis => ({
    defects: [],
    none_found: [],
    overall_score: { total: 3, by_angle: {} },
    strengths: [],
    ...rest,
  })

  it('counts what is there, blanks aside, and names what was invented', () => {
    const grounded = groundAnalysis(
      analysis({
        defects: [defect(['return eval( a )']), defect(['exec(input)'], 'fit')],
        none_found: [
          { angle: 'testability', evidence: ['function f(a)'] },
          { angle: 'performance', evidence: ['while (true)'] },
        ],
      }),
      text,
    )
    expect(grounded).toEqual({
      angles: ['security', 'testability'],
      severities: { Critical: 1, Major: 0, Minor: 0 },
      invented: ['on fit', 'performance'],
    })
  })

  it('takes no letter or two as evidence: they are in every text', () => {
    expect(groundAnalysis(analysis({ defects: [defect(['eval(', 'a'])] }), text).angles).toEqual([])
    expect(groundAnalysis(analysis({ defects: [defect(['eval(a'])] }), text).angles).toEqual(['security'])
    expect(groundAnalysis(analysis({ defects: [defect(['x+1'])] }), ' x + 1 ').angles).toEqual(['security'])
  })
})

describe('modes', () => {
  const judges = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ kind: 'agent' as const, name: `j${at}`, agent: 'builtin' }))

  it.each([
    [null, 'standard', 1, 1],
    [null, 'standard', 2, 2],
    [null, 'thorough', 7, 2],
    [null, 'quick', 5, 1],
    [4, 'quick', 5, 4],
  ] as const)('threshold %j, %s, %d judges: %d', (threshold, mode, count, expected) => {
    expect(thresholdOf({ threshold, mode, judges: judges(count) })).toBe(expected)
  })

  it.each([
    ['quick', { gap: 0.49 }, 'standard'],
    ['quick', { gap: 0.5 }, null],
    ['quick', { gap: null }, null],
    ['standard', { hasEliminated: false }, 'thorough'],
    ['standard', {}, null],
    ['thorough', { criticalFound: true }, 'adversarial'],
    ['thorough', {}, null],
    ['adversarial', { criticalFound: true, hasEliminated: false, gap: 0 }, null],
  ] as const)('%s with %j goes to %j', (mode, facts, to) => {
    const upgrade = upgradeMode(mode, { gap: 3, hasEliminated: true, criticalFound: false, ...facts })
    expect(upgrade?.to ?? null).toBe(to)
  })
})
