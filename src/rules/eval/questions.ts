import type { Question } from '../../contracts/run.js'
import { listFew } from '../votes-names.js'
import { conclude } from './conclusion.js'
import type { EvalProgress } from './progress.js'
import type { GateWord, ScreeningWord } from './schedule.js'
import type { ScreeningEnd } from './screening.js'

export type EvalQuestion = Pick<Question, 'id' | 'kind' | 'title' | 'detail' | 'options' | 'default'>

const MAX_OPTIONS = 10

const FOUND = {
  decided: 'somebody was voted out',
  weak: 'the threshold was reached, but fewer than 60 % of the seats agree',
  undecided: 'nobody reached the threshold',
  everyone: 'every candidate reached the threshold: nobody would be left',
  no_quorum: 'too few judges answered',
} as const satisfies Record<ScreeningEnd, string>

/** What to do with a vote of round 1 that settles nothing. Without an answer nobody is eliminated; without a quorum it is the end. */
export function screeningQuestion({ votes, facts }: EvalProgress, names: readonly string[]): EvalQuestion {
  const end = facts.revote ?? facts.screening ?? 'undecided'
  const counts = votes.at(-1)?.counts ?? []
  const named = names
    .map((name, candidate) => ({ name, candidate, votes: counts[candidate]?.votes ?? 0 }))
    .filter((each) => each.votes > 0)
    .sort((one, other) => other.votes - one.votes)
  const told = listFew(named, ({ name, votes: count }) => `${JSON.stringify(name)} ${count}`)
  const single = named
    .slice(0, MAX_OPTIONS)
    .map(({ name, candidate }) => ({ key: `out-${candidate + 1}`, label: `only ${JSON.stringify(name)} is out` }))
  return {
    id: 'round-1',
    kind: 'choice',
    title: 'The first round has not decided',
    detail: `${FOUND[end]}. Votes against: ${told || 'none'}.`,
    options: [
      { key: 'keep', label: 'go on with everybody' },
      ...(end === 'weak' ? [{ key: 'accept', label: 'take the vote as it is' }] : []),
      ...single,
      { key: 'stop', label: 'end the evaluation here' },
    ],
    default: end === 'no_quorum' ? 'stop' : 'keep',
  }
}

/** What an answer to it means; `candidate` only with `out`. */
export function screeningWord(answer: string): { word: ScreeningWord; candidate: number | null } {
  const [, place] = /^out-(\d+)$/.exec(answer) ?? []
  if (place !== undefined) return { word: 'out', candidate: Number(place) - 1 }
  return { word: answer === 'accept' || answer === 'stop' ? answer : 'keep', candidate: null }
}

/** Gates 2 and 3. With some answers the default goes on, marked as not passed; with none it is the end. */
export function gateQuestion(round: 2 | 3, end: 'thin' | 'no_quorum', detail: string): EvalQuestion {
  return {
    id: `round-${round}`,
    kind: 'choice',
    title: `Round ${round} has not reached its gate`,
    detail,
    options: [
      { key: 'go_on', label: 'go on; the result says that the gate was not reached' },
      { key: 'stop', label: 'end the evaluation here' },
    ],
    default: end === 'thin' || round === 3 ? 'go_on' : 'stop',
  }
}

export function gateWord(answer: string): GateWord {
  return answer === 'go_on' ? 'go_on' : 'stop'
}

export function resurrectionQuestion(name: string, candidate: number, reasons: readonly string[]): EvalQuestion {
  return {
    id: `return-${candidate + 1}`,
    kind: 'choice',
    title: `Should ${JSON.stringify(name)} come back?`,
    detail:
      `It was voted out, and looks milder now than the best that stayed; the evaluators do not agree. ${reasons.join('; ')}`.slice(
        0,
        2000,
      ),
    options: [
      { key: 'keep_out', label: 'it stays out' },
      { key: 'resurrect', label: 'it comes back' },
    ],
    default: 'keep_out',
  }
}

/** A tie, or a leader below gate 4: a person may choose; else there is no recommendation. */
export function consensusQuestion(progress: EvalProgress, names: readonly string[]): EvalQuestion {
  const { synthesis, leaders, agreement, confidence } = progress.conclusion ?? conclude(progress)
  const nameOf = (candidate: number) => JSON.stringify(names[candidate] ?? '')
  const found =
    leaders.length > 1
      ? `a tie of ${listFew(leaders, nameOf)}`
      : `${nameOf(leaders[0] ?? -1)} leads with ${agreement?.level ?? 'no'} consensus and confidence ${confidence?.level ?? 'none'}`
  const choices = synthesis.ranking.slice(0, MAX_OPTIONS).map(({ candidate, rank }) => ({
    key: `take-${candidate + 1}`,
    label: `recommend ${nameOf(candidate)} (rank ${rank})`,
  }))
  return {
    id: 'consensus',
    kind: 'choice',
    title: leaders.length > 1 ? 'The jury is tied' : 'The jury has no consensus',
    detail: `${found}. The evaluation recommends nobody unless you choose.`,
    options: [{ key: 'none', label: 'no recommendation' }, ...choices],
    default: 'none',
  }
}

export function consensusChoice(answer: string): number | null {
  const [, place] = /^take-(\d+)$/.exec(answer) ?? []
  return place === undefined ? null : Number(place) - 1
}
