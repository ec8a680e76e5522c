import { z } from 'zod'
import { evalFaults } from '../rules/eval/input-faults.js'
import { EVAL_MODES, MEASURES } from '../rules/eval/words.js'
import { AgentName } from './agent.js'
import { Artifact, RelativePath } from './artifact.js'
import { Budget } from './budget.js'
import { RunKey, RunOptions } from './run.js'

export const EvalMode = z.enum(EVAL_MODES)
export type EvalMode = z.infer<typeof EvalMode>

export const CandidateName = z
  .string({ error: 'expected text' })
  .trim()
  .min(1, { error: 'expected a name' })
  .max(100, { error: 'expected at most 100 characters' })
  .refine((name) => !/\p{Cc}/u.test(name), { error: 'expected a name without control characters' })
  // A record of zod's loses it.
  .refine((name) => name !== '__proto__', { error: 'expected another name' })
export type CandidateName = z.infer<typeof CandidateName>

/** A list of files as one artifact: JSON, an `Artifact` per file, named by its path within the folder. */
export const FolderListing = z.array(Artifact).max(5000)
export type FolderListing = z.infer<typeof FolderListing>

export const Candidate = z.object({
  name: CandidateName,
  /** `folder`: `content` is a `FolderListing`. */
  kind: z.enum(['text', 'folder']),
  content: Artifact,
  /** Of all its files. */
  bytes: z.int().min(0),
})
export type Candidate = z.infer<typeof Candidate>

export const Criterion = z.object({
  name: z.string().trim().min(1, { error: 'expected a name' }).max(200),
  description: z.string().max(2000).default(''),
})
export type Criterion = z.infer<typeof Criterion>

export const JudgeName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/, {
  error: 'expected 1 to 40 letters, digits, dots, dashes or underscores',
})

export const Measure = z.enum(MEASURES)
export type Measure = z.infer<typeof Measure>

/** Whoever answers is asked (a model, an agent, a program that speaks `gauntlet.agent/1`); a measure is one of our own programs. */
export const Judge = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('agent'), name: JudgeName, agent: AgentName }),
  z.object({
    kind: z.literal('measure'),
    name: JudgeName,
    measure: Measure,
    /** A `FolderListing` laid over the candidate's copy: tests, a benchmark, a linter's settings, the scoring script. */
    files: Artifact.nullable(),
    /** Of `score`: the script among `files`. */
    script: RelativePath.nullable(),
  }),
])
export type Judge = z.infer<typeof Judge>

const THRESHOLD = { error: 'expected a whole number from 1' }

/** Input of the workflow `multiRoundEval`. What is parsed fits together: see `evalFaults`. */
export const EvalInput = z
  .object({
    key: RunKey,
    /** Names what the run is about: of two starts with one key, the same digest is the same run. */
    input_digest: z.string(),
    candidates: z
      .array(Candidate, { error: 'expected a list of candidates' })
      .min(2, { error: 'expected at least two candidates' })
      .max(50, { error: 'expected at most 50 candidates' }),
    criteria: z
      .array(Criterion, { error: 'expected a list of criteria' })
      .min(1, { error: 'expected at least one criterion' })
      .max(30, { error: 'expected at most 30 criteria' }),
    judges: z
      .array(Judge, { error: 'expected a list of judges' })
      .min(1, { error: 'expected at least one judge' })
      .max(25, { error: 'expected at most 25 judges' }),
    /** Take the seats of judges that fail, in this order. */
    spares: z.array(Judge).max(25).default([]),
    mode: EvalMode.default('standard'),
    /** Given, the mode's number does not count and nothing is added on the way. */
    rounds: z.int().min(1).max(4).nullable().default(null),
    /** Weighted votes that eliminate in round 1; null: two, or what the mode says. */
    threshold: z.int(THRESHOLD).min(1, THRESHOLD).nullable().default(null),
    /** Judges see letters in place of names. */
    is_blind: z.boolean().default(true),
    /** Each judge has its own order of candidates, from the seed. */
    is_shuffled: z.boolean().default(true),
    /** Screeners are asked a second time with the order turned; null: unless the mode is quick. */
    asks_twice: z.boolean().nullable().default(null),
    seed: z.int().min(0).max(0xff_ff_ff_ff),
    /** For one answer of an agent, one measurement of a program. */
    limit_seconds: z.int().min(1).max(3600).default(600),
    budget: Budget.prefault({ tokens: null, cost: null, rounds: null, seconds: null }),
    ...RunOptions.shape,
  })
  .superRefine((input, context) => {
    for (const { path, message } of evalFaults(input)) context.addIssue({ code: 'custom', path, message })
  })
export type EvalInput = z.infer<typeof EvalInput>
