import type { RefineResult, RefineVerdict } from '../../contracts/refine.js'
import type { ResultDocument, RunFailure } from '../../contracts/run.js'
import { fractionOf, roundHalfUp } from '../aggregate-fractions.js'
import { bestRound } from './best-round.js'
import type { RefineEnd } from './decide-refine.js'
import { findAlarms } from './find-alarms.js'
import type { RefineProgress } from './refine-progress.js'

export interface RefineEndFacts {
  /** Null when a person or Temporal stopped the run. */
  decided: RefineEnd | null
  abortReason: string | null
  /** Why the budget ended; null when it did not. */
  exhausted: string | null
  /** In the run repository; null when nothing was kept. */
  branch: string | null
  leftovers: readonly string[]
}

export interface RefineConclusion {
  status: ResultDocument['status']
  verdict: RefineVerdict | 'aborted' | 'canceled'
  reason: string
  result: RefineResult
  failure?: RunFailure | undefined
}

/** The end of the run: its word, why, and everything it takes to compute the word again. */
export function concludeRefine(progress: RefineProgress, facts: RefineEndFacts): RefineConclusion {
  const { decided, abortReason } = facts
  const result = resultOf(progress, facts)
  if (decided === null) {
    const status = abortReason === null ? ('canceled' as const) : ('aborted' as const)
    return { status, verdict: status, reason: abortReason ?? 'cancelled through Temporal', result }
  }
  const { status, verdict } = decided
  if (status === 'budget_exhausted')
    return { status, verdict, reason: facts.exhausted ?? 'the budget is used up', result }
  if (status === 'completed') return { status, verdict, reason: reasonOf(progress), result }
  const failure = progress.failures[0] ?? { type: 'Tool.Failed', message: 'no verdict could be had', step: null }
  return { status, verdict, reason: progress.failures.map(describe).join('; ') || failure.message, result, failure }
}

function describe({ step, message }: RunFailure): string {
  return step === null ? message : `${step}: ${message}`
}

function reasonOf({ rounds, facts, input }: RefineProgress): string {
  const last = rounds.at(-1)
  if (last === undefined) throw new Error('a loop that came to its own end has judged no round')
  const overall = roundHalfUp(fractionOf(last.overall))
  if (input.lang === 'zh') return `第 ${last.round}/${facts.maxRounds} 轮，综合评分 ${overall}: ${last.reason}`
  return `round ${last.round} of ${facts.maxRounds}, overall ${overall}: ${last.reason}`
}

function resultOf(progress: RefineProgress, { branch, leftovers, decided }: RefineEndFacts): RefineResult {
  const { input, rounds, facts, stack } = progress
  const best = bestRound(rounds)
  const hasPassed = decided?.verdict === 'PASS'
  return {
    key: input.key,
    title: input.title,
    base: input.base,
    against: input.against,
    tech_stack: stack,
    best_round: best?.round ?? null,
    commit: branch === null ? null : (best?.commit ?? null),
    branch,
    repository: input.repository,
    rounds: rounds.map(({ criticals: _criticals, ...round }) => round),
    alarms: findAlarms(rounds),
    preset: input.preset,
    thresholds_used: { ...input.thresholds, max_iterations: facts.maxRounds },
    weights_used: input.weights,
    granted_rounds: facts.maxRounds - input.thresholds.max_iterations,
    openspec: input.openspec && {
      change: input.openspec.change,
      task: input.openspec.task && taskName(input.openspec.task),
      is_ticked: hasPassed && input.openspec.task !== null,
    },
    leftovers: [...leftovers],
  }
}

function taskName({ number, text }: { number: string | null; text: string }): string {
  return number === null ? text : `${number} ${text}`
}
