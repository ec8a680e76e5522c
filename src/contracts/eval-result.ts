import { z } from 'zod'
import { CONFIDENCE_LEVELS, DECISION_PATHS, EVAL_VERDICTS } from '../rules/eval/words.js'
import { Artifact } from './artifact.js'
import { EvalMode } from './eval.js'
import { Confidence, ConsensusLevel, VoteConflict } from './votes.js'

const Name = z.string()
const Figure = z.number().nullable()

/** One judge's word in one round, in full. */
export const JudgeWord = z.object({
  round: z.int().min(1).max(4),
  judge: Name,
  /** 'against "b"', 'abstains', 'would resurrect "a"', … */
  says: z.string(),
  reason: z.string(),
  confidence: Confidence.nullable(),
})
export type JudgeWord = z.infer<typeof JudgeWord>

export const RankedEntry = z.object({
  rank: z.int().min(1),
  candidate: Name,
  /** Mean of the scores; null where nobody scored it. */
  composite_score: Figure,
  schulze_rank: z.int().min(1),
  borda: z.number(),
  rank_variance: Figure,
})
export type RankedEntry = z.infer<typeof RankedEntry>

export const Gate = z.object({ round: z.int(), asks: z.string(), found: z.string(), is_passed: z.boolean() })
export type Gate = z.infer<typeof Gate>

export const EvalRounds = z.object({
  round1: z.object({
    eliminated: z.array(Name),
    survivors: z.array(Name),
    consensus_level: ConsensusLevel,
    agreement_ratio: z.number(),
    /** True when it was voted on twice. */
    is_revote: z.boolean(),
    votes: z.array(
      z.object({ candidate: Name, raw_votes: z.int(), weighted_votes: z.number(), voters: z.array(Name) }),
    ),
    conflicts: z.array(VoteConflict),
  }),
  round2: z
    .object({
      defects: z.array(
        z.object({ candidate: Name, critical: z.int(), major: z.int(), minor: z.int(), angles: z.int() }),
      ),
      conflict_pairs: z.array(z.object({ judges: z.tuple([Name, Name]), tau: z.number() })),
      disputed: z.array(Name),
    })
    .nullable(),
  round3: z
    .object({
      attacked: z.array(Name),
      critical_found: z.int(),
      attack_results: z.array(
        z.object({ candidate: Name, judge: Name, recommendation: z.string(), reason: z.string() }),
      ),
    })
    .nullable(),
  round4: z
    .object({
      resurrected: z.array(Name),
      final_eliminated: z.array(z.object({ candidate: Name, why: z.string() })),
      reviews: z.array(z.object({ candidate: Name, judge: Name, verdict: z.string(), reason: z.string() })),
    })
    .nullable(),
})
export type EvalRounds = z.infer<typeof EvalRounds>

export const JudgeFigures = z.object({
  judge: Name,
  /** 'agent ben', 'tests', … */
  is: z.string(),
  /** Of round 1's two askings; null when it was asked once. */
  position_bias: z
    .object({ tau: Figure, consistency: Figure, is_same_vote: z.boolean(), prefers: z.string().nullable() })
    .nullable(),
  length_bias: z.object({ tau: Figure, prefers: z.string().nullable() }),
  /** Candidates that speak to their judges and that this one rates far above the others. */
  follows: z.array(Name),
  /** Quotations of round 2 that are not in the candidate. */
  invented: z.int(),
})
export type JudgeFigures = z.infer<typeof JudgeFigures>

export const EvalResult = z.object({
  mode: EvalMode,
  rounds_held: z.int(),
  upgrades: z.array(z.object({ from: EvalMode, to: EvalMode, why: z.string() })),
  seed: z.int(),
  verdict: z.enum(EVAL_VERDICTS),
  final_recommendation: z.object({
    winner: Name.nullable(),
    runner_up: Name.nullable(),
    /** More than one: a tie that nobody has broken. */
    leaders: z.array(Name),
    confidence: z
      .object({
        score: z.number().min(0).max(1),
        level: z.enum(CONFIDENCE_LEVELS),
        factors: z.object({
          consensus: z.number(),
          stability: z.number(),
          robustness: z.number(),
          margin: z.number(),
        }),
      })
      .nullable(),
    decision_path: z.enum(DECISION_PATHS).nullable(),
    summary: z.string(),
    recommendations: z.array(z.string()),
  }),
  /** Best first, then those who are out, the last first. */
  ranking: z.array(RankedEntry),
  out: z.array(z.object({ candidate: Name, round: z.int(), why: z.string() })),
  rounds: EvalRounds,
  gates: z.array(Gate),
  words: z.array(JudgeWord),
  dissent: z.array(JudgeWord),
  losses: z.array(z.object({ round: z.int(), judge: Name, why: z.string(), replaced_by: Name.nullable() })),
  judges: z.array(JudgeFigures),
  hidden_instructions: z.array(z.object({ candidate: Name, lines: z.array(z.string()) })),
  statistics: z.object({
    /** By round: of the vote, of the final choice. */
    agreement: z.array(z.object({ round: z.int(), ratio: z.number(), level: ConsensusLevel })),
    /** Of round 1's votes, each candidate thrown out or kept. */
    fleiss_kappa: Figure,
    kendall_w: Figure,
    kendall_tau: Figure,
  }),
  /** Names in the order of rows and columns; null for a jury on more candidates than fit here: see eval.json. */
  pairwise: z
    .object({
      candidates: z.array(Name),
      matrix: z.array(z.array(z.int())),
      strengths: z.array(z.array(z.int())),
    })
    .nullable(),
  execution_log: z.array(z.string()),
  /** Whole answers: eval.json and one file per candidate. */
  records: z.array(Artifact),
})
export type EvalResult = z.infer<typeof EvalResult>
