import { describe, expect, it } from 'vitest'
import { decideEval, type EvalFacts, type EvalStep } from '../../../src/rules/eval/schedule.js'

const NOTHING: Omit<EvalFacts, 'rounds'> = {
  screening: null,
  revote: null,
  screeningWord: null,
  analysis: null,
  analysisWord: null,
  attack: null,
  attackWord: null,
  resurrection: null,
  resurrectionWord: null,
  review: null,
  consensus: null,
  runoff: null,
  consensusWord: null,
}

const VOTES = ['decided', 'weak', 'undecided', 'everyone', 'no_quorum'] as const
const ROUNDS = ['complete', 'thin', 'no_quorum', 'skipped'] as const

/** Which fact each step makes known, and everything it may turn out to be. */
const OUTCOMES = {
  screen: { fact: 'screening', values: VOTES },
  revote: { fact: 'revote', values: VOTES },
  ask_screening: { fact: 'screeningWord', values: ['accept', 'keep', 'out', 'stop'] },
  analyse: { fact: 'analysis', values: ROUNDS },
  ask_analysis: { fact: 'analysisWord', values: ['go_on', 'stop'] },
  attack: { fact: 'attack', values: ROUNDS },
  ask_attack: { fact: 'attackWord', values: ['go_on', 'stop'] },
  resurrect: { fact: 'resurrection', values: ['none', 'decided', 'in_doubt'] },
  ask_resurrection: { fact: 'resurrectionWord', values: ['resurrect', 'keep_out'] },
  review: { fact: 'review', values: ROUNDS },
  conclude: { fact: 'consensus', values: ['reached', 'tied', 'weak'] },
  runoff: { fact: 'runoff', values: ['reached', 'tied', 'weak', 'skipped'] },
  ask_consensus: { fact: 'consensusWord', values: ['choose', 'none'] },
} as const satisfies Record<EvalStep, { fact: keyof EvalFacts; values: readonly string[] }>

interface Path {
  steps: EvalStep[]
  facts: EvalFacts
  end: string
}

/** Every course an evaluation can take: each step with each of its outcomes. */
function* pathsFrom(facts: EvalFacts, steps: EvalStep[] = []): Generator<Path> {
  const move = decideEval(facts)
  if ('end' in move) {
    yield { steps, facts, end: move.end }
    return
  }
  const { fact, values } = OUTCOMES[move.do]
  if (steps.includes(move.do)) throw new Error(`${move.do} twice: ${steps.join(' ')}`)
  for (const value of values) yield* pathsFrom({ ...facts, [fact]: value }, [...steps, move.do])
}

describe.each([1, 2, 3, 4] as const)('every course of %d rounds', (rounds) => {
  const paths = [...pathsFrom({ rounds, ...NOTHING })]

  it('ends, and does no step twice', () => {
    expect(paths.length).toBeGreaterThan(50)
    expect(paths.reduce((most, { steps }) => Math.max(most, steps.length), 0)).toBeLessThanOrEqual(13)
  })

  it('recommends somebody only after a consensus, or a person’s choice', () => {
    const isFound = ({ consensus, runoff, consensusWord }: EvalFacts) =>
      consensus === 'reached' || runoff === 'reached' || consensusWord === 'choose'
    expect(paths.find(({ facts, end }) => (end === 'recommended') !== isFound(facts))).toBeUndefined()
  })

  it('asks a person before every tie, every missing consensus and behind every gate that is not passed', () => {
    const isOpen = (end: string | null) => end === 'thin' || end === 'no_quorum'
    const asks = ({ facts }: Path): Partial<Record<EvalStep, boolean>> => ({
      ask_screening: facts.screening !== 'decided' && facts.revote !== 'decided',
      ask_analysis: isOpen(facts.analysis),
      ask_attack: isOpen(facts.attack),
      ask_resurrection: facts.resurrection === 'in_doubt',
      ask_consensus: facts.consensus !== null && facts.consensus !== 'reached' && facts.runoff !== 'reached',
    })
    const isWrong = (path: Path) =>
      Object.entries(asks(path)).some(([step, isAsked]) => path.steps.includes(step as EvalStep) !== isAsked)
    expect(paths.find(isWrong)).toBeUndefined()
  })

  it('votes once more on whatever was left open by judges who were there', () => {
    const isWrong = ({ steps, facts }: Path) =>
      steps.includes('revote') !== (facts.screening !== 'decided' && facts.screening !== 'no_quorum') ||
      steps.includes('runoff') !== (facts.consensus === 'tied')
    expect(paths.find(isWrong)).toBeUndefined()
  })

  it('holds the rounds in order and none beyond', () => {
    const places = Object.keys(OUTCOMES)
    const held = { analyse: 2, attack: 3, resurrect: 4, review: 4 } as const
    const isWrong = ({ steps, end }: Path) => {
      const isOrdered = steps.every(
        (step, at) => at === 0 || places.indexOf(step) > places.indexOf(steps[at - 1] ?? ''),
      )
      const isWhole = end === 'recommended' || end === 'no_consensus'
      return (
        !isOrdered ||
        Object.entries(held).some(([step, round]) => {
          const isHeld = steps.includes(step as EvalStep)
          return round > rounds ? isHeld : isWhole && !isHeld
        })
      )
    }
    expect(paths.find(isWrong)).toBeUndefined()
  })

  it('stops only where a person says so, and calls a missing quorum by its name', () => {
    const isStopped = ({ facts }: Path) =>
      [facts.screeningWord, facts.analysisWord, facts.attackWord].some((word) => word === 'stop')
    const isWrong = (path: Path) => isStopped(path) !== (path.end === 'stopped' || path.end === 'no_quorum')
    expect(paths.find(isWrong)).toBeUndefined()
    expect(new Set(paths.map(({ end }) => end))).toEqual(
      new Set(['recommended', 'no_consensus', 'no_quorum', 'stopped']),
    )
  })
})
