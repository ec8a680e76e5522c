import { z } from 'zod'
import { Artifact } from './artifact.js'
import { CrashSignature } from './crash-signature.js'
import { RunKey, RunOptions } from './run.js'

/** The programs of the CIRCT toolchain: nothing else may run as a case's command. */
export const CirctTool = z.enum([
  'firtool',
  'circt-opt',
  'circt-verilog',
  'circt-reduce',
  'circt-translate',
  'circt-synth',
  'circt-test',
  'circt-bmc',
  'circt-lec',
  'circt-lsp-server',
  'circt-verilog-lsp-server',
  'arcilator',
  'domaintool',
  'om-linker',
  'hlstool',
  'ibistool',
  'kanagawatool',
  'handshake-runner',
])
export type CirctTool = z.infer<typeof CirctTool>

export const SourceLanguage = z.enum(['sv', 'fir', 'mlir'])
export type SourceLanguage = z.infer<typeof SourceLanguage>

/** A case's command with the place of its input marked: `{tool, version, args}`; one of `args` holds `{input}`. */
export const CaseCommand = z.object({
  tool: CirctTool,
  /** '1.155.0' when the command's path or error.txt named it. */
  version: z
    .string()
    .regex(/^\d+\.\d+\.\d+$/)
    .nullable(),
  args: z.array(z.string().max(4096)).max(200),
})
export type CaseCommand = z.infer<typeof CaseCommand>

/** The case itself: what every step reads. */
export const CirctCase = z.object({
  /** Business key; also the `crash_id` of status.json. */
  crash_id: RunKey,
  language: SourceLanguage,
  source: Artifact,
  error: Artifact,
  command: CaseCommand,
  /** A script that exits 0 when its first argument still shows the bug, as in cvise. Replaces the signature as the oracle. */
  interesting: Artifact.nullable(),
  allow_unsandboxed: z.boolean(),
})
export type CirctCase = z.infer<typeof CirctCase>

export const ReproduceResult = z.object({
  reproduced: z.union([z.boolean(), z.literal('inconclusive')]),
  match_result: z.enum(['exact_match', 'partial_match', 'different_crash', 'no_crash', 'no_assertion']),
  runs: z.int().min(0),
  reproduced_runs: z.int().min(0),
  tool_version: z.string().nullable(),
  exit_code: z.int().nullable(),
  signature: CrashSignature.nullable(),
  is_sandboxed: z.boolean(),
  /** One line for a person. */
  note: z.string().max(400),
  artifacts: z.array(Artifact),
})
export type ReproduceResult = z.infer<typeof ReproduceResult>

export const AnalysisResult = z.object({
  /** True when rules read error.txt alone because the full analysis failed. */
  degraded: z.boolean(),
  dialect: z.string().nullable(),
  failing_pass: z.string().nullable(),
  crash_type: z.string(),
  keywords: z.array(z.string().max(80)).max(30),
  note: z.string().max(400),
  artifacts: z.array(Artifact),
})
export type AnalysisResult = z.infer<typeof AnalysisResult>

export const MinimizeResult = z.object({
  original_lines: z.int().min(0),
  minimized_lines: z.int().min(0),
  /** Of bytes, rounded half up to one decimal. */
  reduction_percent: z.number(),
  oracle_runs: z.int().min(0),
  is_one_minimal: z.boolean(),
  signature: CrashSignature,
  note: z.string().max(400),
  artifacts: z.array(Artifact),
})
export type MinimizeResult = z.infer<typeof MinimizeResult>

export const ValidationClass = z.enum(['report', 'feature_request', 'existing_issue', 'not_a_bug', 'invalid_testcase'])
export type ValidationClass = z.infer<typeof ValidationClass>

export const ValidateResult = z.object({
  result: ValidationClass,
  confidence: z.enum(['high', 'medium', 'low']),
  reason: z.string().max(400),
  artifacts: z.array(Artifact),
})
export type ValidateResult = z.infer<typeof ValidateResult>

export const DuplicateCandidate = z.object({
  number: z.int(),
  title: z.string().max(300),
  url: z.string().max(300),
  score: z.number(),
})
export type DuplicateCandidate = z.infer<typeof DuplicateCandidate>

export const DuplicatesResult = z.object({
  action: z.enum(['review_existing', 'likely_new', 'new_issue', 'unknown']),
  top_score: z.number(),
  top_issue: DuplicateCandidate.nullable(),
  similar_count: z.int().min(0),
  /** True when failing pass, an own frame or the diagnostic text of the top candidate agree too: the default answer is then "duplicate". */
  is_corroborated: z.boolean(),
  note: z.string().max(400),
  artifacts: z.array(Artifact),
})
export type DuplicatesResult = z.infer<typeof DuplicatesResult>

export const GenerateResult = z.object({ title: z.string().max(300), artifacts: z.array(Artifact) })
export type GenerateResult = z.infer<typeof GenerateResult>

/** Extracts of the steps that are done: as the workflow keeps them, and as status.json remembers them for a later recovery. */
export const CirctOutcomes = z.object({
  reproduce: ReproduceResult.optional(),
  root_cause_analysis: AnalysisResult.optional(),
  minimize: MinimizeResult.optional(),
  validate: ValidateResult.optional(),
  check_duplicates: DuplicatesResult.optional(),
  generate_issue: GenerateResult.optional(),
})
export type CirctOutcomes = z.infer<typeof CirctOutcomes>

export const CirctInput = CirctCase.omit({ allow_unsandboxed: true }).extend({
  ...RunOptions.shape,
  schedule: z.enum(['eager', 'phased', 'serial']),
  /** Array of GitHub REST issue objects to search instead of GitHub. */
  issues: Artifact.nullable(),
  /** owner/name of the repository whose issues are searched. */
  repo: z.string().regex(/^[\w.-]+\/[\w.-]+$/, { error: 'expected owner/name' }),
  /** What an interrupted run left in the folder, complete and valid. Not part of the input's digest. */
  recovered: CirctOutcomes,
  /** Names the user's folder had, for status.json. */
  names: z.object({ source_file: z.string().max(300), error_file: z.string().max(300) }),
  /** Of everything above but `recovered`, by the CLI: see `digestOf` in the start command. */
  input_digest: z.string().max(64),
})
export type CirctInput = z.infer<typeof CirctInput>

/** `result` of the result document. */
export const CirctResult = z.object({
  crash_id: z.string(),
  steps: CirctOutcomes,
})
export type CirctResult = z.infer<typeof CirctResult>

/** Input of the activities that need only the case. */
export const CaseOrder = z.object({ run_id: z.string(), case: CirctCase })
export type CaseOrder = z.infer<typeof CaseOrder>

export const ValidateOrder = CaseOrder.extend({ minimize: MinimizeResult })
export type ValidateOrder = z.infer<typeof ValidateOrder>

export const DuplicatesOrder = z.object({
  run_id: z.string(),
  /** Null when neither the analysis nor its fallback came to an end: the answer is then `unknown`. */
  analysis: AnalysisResult.nullable(),
  issues: Artifact.nullable(),
  repo: z.string(),
})
export type DuplicatesOrder = z.infer<typeof DuplicatesOrder>

export const GenerateOrder = CaseOrder.extend({
  reproduce: ReproduceResult,
  root_cause_analysis: AnalysisResult.nullable(),
  minimize: MinimizeResult,
  /** Null: the step failed and `report` is assumed. */
  validate: ValidateResult.nullable(),
  /** Null: the step failed and "no duplicates" is assumed, and said. */
  check_duplicates: DuplicatesResult.nullable(),
})
export type GenerateOrder = z.infer<typeof GenerateOrder>
