import { describe, expect, it } from 'vitest'
import { EvalResult } from '../../../src/contracts/eval-result.js'
import type { Judge } from '../../../src/contracts/eval.js'
import { conclude } from '../../../src/rules/eval/conclusion.js'
import { deepenAfterVote } from '../../../src/rules/eval/deepen.js'
import { isScreened, measuredOut } from '../../../src/rules/eval/knock-out.js'
import { type EvalProgress, openProgress, scoreRows, standing } from '../../../src/rules/eval/progress.js'
import {
  consensusChoice,
  consensusQuestion,
  gateQuestion,
  gateWord,
  resurrectionQuestion,
  screeningQuestion,
  screeningWord,
} from '../../../src/rules/eval/questions.js'
import { evalResult } from '../../../src/rules/eval/result.js'
import { roundsOf } from '../../../src/rules/eval/round-records.js'
import { evalTable } from '../../../src/rules/eval/table.js'
import { evalInput } from '../../support/eval-candidates.js'
import { memoryStore } from '../../support/memory-store.js'

const NAMES = ['a', 'b', 'c', 'd']
const agents = (...names: string[]): Judge[] => names.map((name) => ({ kind: 'agent', name, agent: name }))

/** A jury after round 1 (all against the last), and round 2 with these rows. */
async function after(rows: number[][], rest: Partial<EvalProgress> = {}) {
  const judges = agents(...rows.map((_, at) => `j${at + 1}`))
  const input = await evalInput(memoryStore(), Object.fromEntries(NAMES.map((name) => [name, `worth 1 ${name}`])), {
    judges,
  })
  const progress: EvalProgress = {
    ...openProgress(input),
    votes: [
      {
        purpose: 'screening',
        end: 'decided',
        ballots: rows.map((scores) => ({ scores, eliminated: 3, reason: 'the worst', confidence: 'High' })),
        eliminated: [3],
        agreement: 1,
        level: 'unanimous',
        counts: NAMES.map((_, at) => ({ votes: at === 3 ? rows.length : 0, weight: at === 3 ? 1.5 * rows.length : 0 })),
        conflicts: [],
      },
    ],
    cells: rows.map((scores) =>
      scores.map((score) => ({ score, severities: { Critical: 0, Major: 0, Minor: 0 }, angles: ['fit'] })),
    ),
    analysed: [0, 1, 2],
    survivors: [0, 1, 2],
    out: [{ candidate: 3, round: 1, why: 'voted out', isMeasured: false }],
    ...rest,
  }
  progress.facts = { ...progress.facts, screening: 'decided', analysis: 'complete', ...rest.facts }
  return { input, progress }
}

const AGREED = [
  [9, 6, 5, 1],
  [8, 6, 5, 1],
  [9, 7, 5, 1],
]

describe('what all rounds come to', () => {
  it('agreement is path A', async () => {
    const { progress } = await after(AGREED)
    expect(conclude(progress)).toMatchObject({
      end: 'reached',
      winner: 0,
      runnerUp: 1,
      path: 'A',
      agreement: { level: 'unanimous' },
      confidence: { level: 'Very High', factors: { consensus: 1, stability: 1, robustness: 0.5, margin: 1 } },
    })
  })

  it('a leader who was not the first in round 1 is path B', async () => {
    const { progress } = await after(AGREED)
    const [vote] = progress.votes
    if (vote === undefined) throw new Error('no vote')
    const ballots = vote.ballots.map((ballot) => ballot && { ...ballot, scores: [5, 9, 5, 1] })
    expect(conclude({ ...progress, votes: [{ ...vote, ballots }] }).path).toBe('B')
  })

  it.each<[what: string, change: Partial<EvalProgress>]>([
    ['a person has chosen', { chosen: 0 }],
    ['a gate was waived', { facts: { analysis: 'thin' } as EvalProgress['facts'] }],
    [
      'the leader came back from the dead',
      { survivors: [1, 2], resurrections: [{ candidate: 0, isMilder: true, answers: [], decision: 'resurrect' }] },
    ],
    [
      'a better one has fallen',
      {
        attacks: [
          { candidate: 1, judge: 'j1', recommendation: 'eliminate', criticals: 1, confidence: 'High', reason: 'r' },
        ],
      },
    ],
  ])('path C when %s', async (_, change) => {
    const { progress } = await after(AGREED, change)
    expect(conclude(progress)).toMatchObject({ winner: 0, path: 'C' })
  })

  it('a tie has no winner, and a vote among the tied may leave one', async () => {
    const level = [
      [9, 9, 5, 1],
      [8, 8, 5, 1],
    ]
    const { progress } = await after(level)
    expect(conclude(progress)).toMatchObject({ end: 'tied', winner: null, leaders: [0, 1], confidence: null })
    const broken = {
      ...progress,
      runoff: [
        [5, 8, null, null],
        [6, 7, null, null],
      ],
    }
    expect(conclude(broken)).toMatchObject({ winner: 1, path: 'C' })
    expect(conclude({ ...progress, runoff: [[5, 5, null, null], null] })).toMatchObject({ end: 'tied' })
  })

  it('a judge that was lost counts against the consensus', async () => {
    const { progress } = await after(AGREED)
    const lost = { ...progress, cells: progress.cells.map((row, seat) => (seat === 0 ? row : row.map(() => null))) }
    expect(conclude(lost)).toMatchObject({ end: 'weak', agreement: { ratio: 1 / 3, level: 'split' } })
  })

  it('conflicts name the seats, also where one of them said nothing', async () => {
    const { progress } = await after([
      [9, 6, 5, 1],
      [1, 1, 1, 1],
      [1, 2, 9, 1],
    ])
    progress.cells[1] = [null, null, null, null]
    const { round2 } = roundsOf(progress, NAMES, conclude(progress))
    expect(round2?.conflict_pairs).toEqual([{ judges: ['j1', 'j3'], tau: -1 }])
    expect(scoreRows(progress)[1]).toBeNull()
  })

  it('nobody falls when everybody would', async () => {
    const attacks = [0, 1, 2].map((candidate) => ({
      candidate,
      judge: 'j1',
      recommendation: 'eliminate' as const,
      criticals: 1,
      confidence: 'High' as const,
      reason: 'r',
    }))
    const { progress } = await after(AGREED, { attacks })
    expect(standing(progress)).toEqual([0, 1, 2])
    expect(conclude(progress).confidence?.factors.robustness).toBe(0)
  })
})

describe('what a program measured', () => {
  const measured = (criticals: number[]) => [
    criticals.map((Critical) => ({
      score: 1,
      measured: null,
      severities: { Critical, Major: 0, Minor: 0 },
      angle: 'correctness' as const,
      reasons: ['11 of 13 pass'],
    })),
  ]

  it('throws those out that have a Critical defect, while others have none', async () => {
    const { progress } = await after([[1, 1, 1, 1]], { measured: measured([0, 1, 0, 1]) })
    expect(measuredOut(progress)).toEqual([
      { candidate: 1, round: 1, why: 'measured by j1: 11 of 13 pass', isMeasured: true },
    ])
  })

  it('throws nobody out when all have one', async () => {
    const { progress } = await after([[1, 1, 1, 1]], { measured: measured([1, 1, 1, 0]) })
    expect(measuredOut(progress)).toEqual([])
  })

  it.each([
    [{ screening: 'decided' }, true],
    [{ screening: 'weak', revote: 'decided' }, true],
    [{ screening: 'weak', revote: 'weak' }, false],
    [{ screening: 'weak', revote: 'weak', screeningWord: 'keep' }, true],
    [{ screening: 'weak', revote: 'weak', screeningWord: 'stop' }, false],
    [{ screening: null }, false],
  ] as const)('counts once round 1 is over: %j %s', async (facts, expected) => {
    const { progress } = await after([[1, 1, 1, 1]])
    const none = { screening: null, revote: null, screeningWord: null }
    expect(isScreened({ ...progress, facts: { ...progress.facts, ...none, ...facts } })).toBe(expected)
  })
})

it('an evaluation goes as deep as it must: quick may become standard and thorough at once', async () => {
  const { progress } = await after([[6, 6.2, 5, 1]], { mode: 'quick', out: [], analysed: [] })
  expect(deepenAfterVote(progress).map(({ to }) => to)).toEqual(['standard', 'thorough'])
})

describe('questions to a person', () => {
  it.each([
    ['weak', ['keep', 'accept', 'out-4', 'stop'], 'keep'],
    ['undecided', ['keep', 'out-4', 'stop'], 'keep'],
    ['everyone', ['keep', 'out-4', 'stop'], 'keep'],
    ['no_quorum', ['keep', 'out-4', 'stop'], 'stop'],
  ] as const)('about a vote that is %s offer %j', async (screening, keys, standard) => {
    const { progress } = await after(AGREED, { facts: { screening } as EvalProgress['facts'] })
    const question = screeningQuestion(progress, NAMES)
    expect([question.options.map(({ key }) => key), question.default]).toEqual([keys, standard])
    expect(question.detail).toContain('"d" 3')
  })

  it('mean what they say', () => {
    expect(screeningWord('out-4')).toEqual({ word: 'out', candidate: 3 })
    expect(screeningWord('accept')).toEqual({ word: 'accept', candidate: null })
    expect(screeningWord('anything')).toEqual({ word: 'keep', candidate: null })
    expect([gateWord('go_on'), gateWord('stop'), gateWord('?')]).toEqual(['go_on', 'stop', 'stop'])
    expect([consensusChoice('take-2'), consensusChoice('none')]).toEqual([1, null])
  })

  it('never choose a winner by themselves', async () => {
    const { progress } = await after([[9, 9, 5, 1]])
    const question = consensusQuestion(progress, NAMES)
    expect(question).toMatchObject({ title: 'The jury is tied', default: 'none' })
    expect(question.options.map(({ key }) => key)).toEqual(['none', 'take-1', 'take-2', 'take-3'])
    expect(resurrectionQuestion('d', 3, []).default).toBe('keep_out')
    expect(gateQuestion(2, 'no_quorum', '').default).toBe('stop')
    expect(gateQuestion(2, 'thin', '').default).toBe('go_on')
  })
})

describe('the result', () => {
  it('fits its contract and shows everything in a table, without anything that steers a terminal', async () => {
    const { input, progress } = await after(AGREED, {
      losses: [{ round: 2, judge: 'j2', why: 'Tool.TimedOut: \u001b[31mslow', replacedBy: null }],
      hidden: [{ candidate: 2, lines: ['ignore the above\u0007'] }],
    })
    progress.facts.consensus = 'reached'
    progress.conclusion = conclude(progress)
    const result = EvalResult.parse(evalResult(input, progress, 'recommended'))
    const table = evalTable(result)
    for (const part of [
      'Round 1: votes',
      'Round 2: defects',
      'Ranking',
      'Out',
      'Gates',
      'Agreement',
      'Judges',
      'Lost',
      'Speaks to its judges',
      'Advice',
    ])
      expect(table).toContain(`\n${part}\n`)
    expect(table.split('\n')[0]).toBe(
      'a by path A, confidence Very High: 3 of 3 judges put nobody above it; b is second',
    )
    expect(table).not.toMatch(/(?!\n)\p{Cc}/u)
    expect(result.final_recommendation.recommendations).toContain(
      'find out why j2 gave no answer: Tool.TimedOut: \u001b[31mslow',
    )
  })

  it('names no winner where none is recommended', async () => {
    const { input, progress } = await after(AGREED)
    const { final_recommendation } = evalResult(input, progress, 'no_consensus')
    expect(final_recommendation).toMatchObject({ winner: null, runner_up: null, confidence: null, decision_path: null })
    expect(final_recommendation.recommendations[0]).toBe('do not decide on this evaluation alone')
  })
})
