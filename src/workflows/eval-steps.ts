import type { ReadOrder, ReadReply } from '../contracts/eval-orders.js'
import { conclude } from '../rules/eval/conclusion.js'
import { deepen, deepenAfterVote } from '../rules/eval/deepen.js'
import { gatesOf } from '../rules/eval/gates.js'
import { isScreened, measuredOut } from '../rules/eval/knock-out.js'
import { agentSeats, type EvalProgress, scoreRows } from '../rules/eval/progress.js'
import {
  consensusChoice,
  consensusQuestion,
  gateQuestion,
  gateWord,
  resurrectionQuestion,
  screeningQuestion,
  screeningWord,
} from '../rules/eval/questions.js'
import type { EvalStep } from '../rules/eval/schedule.js'
import { ask } from './ask.js'
import { attemptCall } from './attempt-call.js'
import { holdAnalysis } from './eval-analysis.js'
import { holdAttack } from './eval-attack.js'
import type { Jury } from './eval-jury.js'
import { holdResurrection, holdReview } from './eval-last-round.js'
import { holdVote, measurePart, recordVote } from './eval-vote.js'

/** What each move of the state machine does; each makes its fact known, and says it in a word. */
export const EVAL_STEPS = {
  screen: async (jury) => {
    if (await measurePart(jury)) return `${jury.progress.measuredUpTo} candidates measured so far`
    const end = await vote(jury, 'screening')
    jury.progress.facts.screening = end
    settle(jury)
    return end
  },
  revote: async (jury) => {
    const { progress } = jury
    // Programs would measure the same again.
    const isUseless = agentSeats(progress).length === 0
    const end = isUseless ? (progress.facts.screening ?? 'undecided') : await vote(jury, 'revote')
    jury.progress.facts.revote = end
    settle(jury)
    return end
  },
  ask_screening: askScreening,
  analyse: async (jury) => {
    const { progress } = jury
    progress.facts.analysis = await holdAnalysis(jury)
    return progress.facts.analysis ?? `${progress.analysed.length} candidates so far`
  },
  ask_analysis: async (jury) => (jury.progress.facts.analysisWord = await askGate(jury, 2)),
  attack: async (jury) => (jury.progress.facts.attack = await holdAttack(jury)),
  ask_attack: async (jury) => (jury.progress.facts.attackWord = await askGate(jury, 3)),
  resurrect: async (jury) => (jury.progress.facts.resurrection = await holdResurrection(jury)),
  ask_resurrection: askResurrection,
  review: async (jury) => (jury.progress.facts.review = await holdReview(jury)),
  conclude: async ({ progress }) => {
    progress.conclusion = conclude(progress)
    return (progress.facts.consensus = progress.conclusion.end)
  },
  runoff: holdRunoff,
  ask_consensus: askConsensus,
} as const satisfies Record<EvalStep, (jury: Jury) => Promise<string>>

/** The word a person sees in the list of runs. */
export function phaseOf(step: EvalStep): string {
  return PHASES[step]
}

const PHASES = {
  screen: 'round 1',
  revote: 'round 1',
  ask_screening: 'round 1',
  analyse: 'round 2',
  ask_analysis: 'round 2',
  attack: 'round 3',
  ask_attack: 'round 3',
  resurrect: 'round 4',
  ask_resurrection: 'round 4',
  review: 'round 4',
  conclude: 'consensus',
  runoff: 'consensus',
  ask_consensus: 'consensus',
} as const satisfies Record<EvalStep, string>

/** Looks for candidates that speak to their judges, before anybody judges. */
export async function readAll({ run, input, progress }: Jury): Promise<void> {
  const row = 'read the candidates'
  run.plan([row])
  run.mark(row, 'running')
  const order: ReadOrder = { candidates: input.candidates }
  const read = await attemptCall<ReadOrder, ReadReply>(run, { step: row, activity: 'readCandidates', input: order })
  if (read.status !== 'passed') {
    run.mark(row, read.status, read.status === 'failed' ? read.failure.message : null)
    return
  }
  progress.hidden = read.value.hidden
  const names = progress.hidden.map(({ candidate }) => input.candidates[candidate]?.name ?? '')
  run.mark(row, 'passed', names.length === 0 ? null : `speak to their judges: ${names.join(', ')}`)
}

async function vote(jury: Jury, purpose: 'screening' | 'revote') {
  const { progress } = jury
  const ballots = await holdVote(jury, purpose, progress.survivors)
  const { end, eliminated } = recordVote(jury, purpose, ballots)
  if (end === 'decided') eliminate(jury, eliminated)
  return end
}

function eliminate({ progress }: Jury, candidates: readonly number[]): void {
  const ballots = progress.votes.at(-1)?.ballots ?? []
  for (const candidate of candidates) {
    const own = ballots.filter((ballot) => ballot?.eliminated === candidate)
    const why = `voted out by ${own.length} of ${ballots.length}: ${own[0]?.reason ?? 'a person’s word'}`
    progress.out.push({ candidate, round: 1, why, isMeasured: false })
  }
  progress.survivors = progress.survivors.filter((candidate) => !candidates.includes(candidate))
}

async function askScreening(jury: Jury): Promise<string> {
  const { run, input, progress } = jury
  const names = input.candidates.map(({ name }) => name)
  const answer = await ask(run, screeningQuestion(progress, names), input.answer_within_seconds)
  const { word, candidate } = screeningWord(answer)
  if (word === 'out' && candidate !== null) eliminate(jury, [candidate])
  if (word === 'accept') eliminate(jury, acceptedOf(progress, names))
  progress.facts.screeningWord = word
  settle(jury)
  return answer
}

/** Who reached the threshold in the vote that a person accepts. */
function acceptedOf({ votes }: EvalProgress, names: readonly string[]): number[] {
  const eliminated = new Set(votes.at(-1)?.eliminated ?? [])
  return names.flatMap((_, candidate) => (eliminated.has(candidate) ? [candidate] : []))
}

/** Once round 1 is over: what was measured counts too; then a deeper mode where this one cannot decide, unless rounds were given. */
function settle({ input, progress }: Jury): void {
  if (!isScreened(progress)) return
  const out = measuredOut(progress)
  const gone = new Set(out.map(({ candidate }) => candidate))
  progress.out.push(...out)
  progress.survivors = progress.survivors.filter((candidate) => !gone.has(candidate))
  if (input.rounds !== null) return
  for (const upgrade of deepenAfterVote(progress)) deepen(progress, upgrade)
}

async function askGate(jury: Jury, round: 2 | 3): Promise<'go_on' | 'stop'> {
  const { run, input, progress } = jury
  const end = round === 2 ? progress.facts.analysis : progress.facts.attack
  const gate = gatesOf(progress, conclude(progress)).find((each) => each.round === round)
  const question = gateQuestion(
    round,
    end === 'no_quorum' ? end : 'thin',
    `It asks: ${gate?.asks ?? ''}. Found: ${gate?.found ?? ''}.`,
  )
  return gateWord(await ask(run, question, input.answer_within_seconds))
}

async function askResurrection({ run, input, progress }: Jury): Promise<string> {
  const answers: string[] = []
  for (const entry of progress.resurrections.filter(({ decision }) => decision === 'needs_review')) {
    const name = input.candidates[entry.candidate]?.name ?? ''
    const reasons = entry.answers.map(({ judge, decision, reason }) => `${judge}: ${decision}: ${reason}`)
    const answer = await ask(run, resurrectionQuestion(name, entry.candidate, reasons), input.answer_within_seconds)
    entry.decision = answer === 'resurrect' ? 'resurrect' : 'stay_eliminated'
    answers.push(answer)
  }
  const isBack = answers.includes('resurrect')
  progress.facts.resurrectionWord = isBack ? 'resurrect' : 'keep_out'
  return answers.join(', ')
}

/** Whoever can be asked votes once more, on those who are tied alone. Programs have measured already: nothing new would come. */
async function holdRunoff(jury: Jury): Promise<string> {
  const { progress } = jury
  if (agentSeats(progress).length === 0) return (progress.facts.runoff = 'skipped')
  const leaders = progress.conclusion?.leaders ?? []
  const ballots = await holdVote(jury, 'runoff', leaders)
  const rows = scoreRows(progress)
  progress.runoff = ballots.map((ballot, seat) => ballot?.scores ?? rows[seat] ?? null)
  progress.conclusion = conclude(progress)
  return (progress.facts.runoff = progress.conclusion.end)
}

async function askConsensus({ run, input, progress }: Jury): Promise<string> {
  const names = input.candidates.map(({ name }) => name)
  const answer = await ask(run, consensusQuestion(progress, names), input.answer_within_seconds)
  const choice = consensusChoice(answer)
  progress.facts.consensusWord = choice === null ? 'none' : 'choose'
  if (choice !== null) {
    progress.chosen = choice
    progress.conclusion = conclude(progress)
  }
  return answer
}
