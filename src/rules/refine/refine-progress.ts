import type { Dimension } from '../../contracts/aggregate.js'
import type { Artifact } from '../../contracts/artifact.js'
import type { RefineTechStack } from '../../contracts/refine-answers.js'
import type { RefineInput, RefineRound, RoundJudgement } from '../../contracts/refine.js'
import type { RunFailure, ScoreTable } from '../../contracts/run.js'
import { DIMENSIONS } from '../aggregate-verdict.js'
import { bestRound } from './best-round.js'
import type { RefineFacts } from './decide-refine.js'
import { openRefine } from './refine-moves.js'

/** What the run knows so far. */
export interface RefineProgress {
  input: RefineInput
  facts: RefineFacts
  stack: RefineTechStack | null
  rounds: RefineRound[]
  /** The code as the writer left it last. */
  commit: string
  /** Of the round under way. */
  work: RoundWork | null
  /** What stands in the way just now, one for each step that failed. */
  failures: RunFailure[]
  /** Questions asked so far. */
  questions: number
  /** Times a step was asked anew within its round, so that no two questions to an agent have one name. */
  tries: Record<string, number>
  startedAt: string
}

/** What the writer of a round left, and what came of it. */
export interface RoundWork {
  round: number
  commit: string
  changed_files: number
  is_unchanged: boolean
  changes: string[]
  paths: string[]
  scope: Artifact
  diff: Artifact
  reviews: Partial<Record<Dimension, Artifact>>
}

export function openProgress(input: RefineInput, startedAt: string): RefineProgress {
  return {
    input,
    facts: openRefine(input.thresholds.max_iterations),
    stack: input.tech_stack,
    rounds: [],
    commit: input.base,
    work: null,
    failures: [],
    questions: 0,
    tries: {},
    startedAt,
  }
}

/** The round that is being worked on, or would be next. */
export function roundNumber({ rounds }: RefineProgress): number {
  return rounds.length + 1
}

/** A round with its verdict, as the run keeps it. */
export function judgedRound(work: RoundWork, judgement: RoundJudgement, endedAt: string): RefineRound {
  const { round, commit, changed_files, is_unchanged, changes, reviews } = work
  const { security, quality, performance } = reviews
  if (security === undefined || quality === undefined || performance === undefined) {
    throw new Error('a round is judged before its three reviews are there')
  }
  return {
    round,
    commit,
    changed_files,
    is_unchanged,
    changes,
    ...judgement,
    reviews: { security, quality, performance },
    ended_at: endedAt,
  }
}

/** The scores of all rounds, as `status` draws them. */
export function scoreTable({ rounds, input }: RefineProgress): ScoreTable {
  const { thresholds } = input
  const rows = DIMENSIONS.map((name) => ({
    name,
    least: thresholds[`${name}_min`],
    scores: rounds.map(({ scores }) => scores[name]),
  }))
  const overall = { name: 'overall', least: thresholds.overall_min, scores: rounds.map((round) => round.overall) }
  return {
    rows: [...rows, overall],
    verdicts: rounds.map(({ recommendation }) => recommendation),
    best: bestRound(rounds)?.round ?? null,
  }
}
