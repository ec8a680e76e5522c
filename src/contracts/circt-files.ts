import { z } from 'zod'
import { CrashSignature } from './crash-signature.js'

/** The JSON files of a case folder, as seed 002 and its siblings name their fields. All times are ISO 8601 in UTC. */

export const CaseStatus = z.enum([
  'pending',
  'processing',
  'generating',
  'not_a_bug',
  'duplicate',
  'reproduce_failed',
  'report_ready',
  'submitted',
  'error',
  'canceled',
  'aborted',
])
export type CaseStatus = z.infer<typeof CaseStatus>

export const CasePhase = z.enum(['initializing', 'phase1_parallel', 'phase2_parallel', 'phase3_final', 'completed'])
export type CasePhase = z.infer<typeof CasePhase>

export const MetadataFile = z.object({
  version: z.literal('1.0'),
  timestamp: z.iso.datetime(),
  input: z.object({ error_file: z.string(), source_file: z.string() }),
  tool: z.object({ name: z.string(), version: z.string().nullable(), path: z.string() }),
  reproduction: z.object({
    command: z.string(),
    exit_code: z.int().nullable(),
    signal: z.string().nullable(),
    reproduced: z.union([z.boolean(), z.literal('inconclusive')]),
    match_result: z.enum(['exact_match', 'partial_match', 'different_crash', 'no_crash', 'no_assertion']),
    runs: z.int(),
    reproduced_runs: z.int(),
    sandboxed: z.boolean(),
  }),
  crash_signature: z.object({ original: CrashSignature.nullable(), reproduced: CrashSignature.nullable() }),
  files: z.object({ reproduce_log: z.string() }),
})
export type MetadataFile = z.infer<typeof MetadataFile>

export const AnalysisFile = z.object({
  version: z.literal('2.0'),
  analysis_type: z.enum(['rules', 'fallback']),
  degraded: z.boolean(),
  dialect: z.string().nullable(),
  failing_pass: z.string().nullable(),
  crash_type: z.string(),
  assertion_message: z.string().nullable(),
  crash_location: z.object({ file: z.string().nullable(), function: z.string().nullable(), line: z.int().nullable() }),
  frames: z.array(z.string()),
  test_case: z.object({
    language: z.string(),
    key_constructs: z.array(z.string()),
    problematic_patterns: z.array(z.string()),
  }),
  hypotheses: z.array(
    z.object({ description: z.string(), confidence: z.enum(['high', 'medium', 'low']), evidence: z.array(z.string()) }),
  ),
  keywords: z.array(z.string()),
  suggested_sources: z.array(z.object({ path: z.string(), reason: z.string() })),
  signature: CrashSignature.nullable(),
})
export type AnalysisFile = z.infer<typeof AnalysisFile>

export const ValidationFile = z.object({
  version: z.literal('1.0'),
  timestamp: z.iso.datetime(),
  input_file: z.string(),
  syntax_check: z.object({ status: z.enum(['valid', 'invalid', 'unchecked']), tool: z.string().nullable() }),
  feature_support: z.object({
    status: z.enum(['supported', 'unsupported', 'unknown']),
    unsupported_found: z.array(z.string()),
  }),
  known_limitations: z.object({ matched: z.string().nullable(), description: z.string().nullable() }),
  cross_tool_validation: z.record(z.string(), z.enum(['pass', 'error', 'warning', 'unavailable'])),
  classification: z.object({
    result: z.enum(['report', 'feature_request', 'existing_issue', 'not_a_bug', 'invalid_testcase']),
    confidence: z.enum(['high', 'medium', 'low']),
    reason: z.string(),
  }),
})
export type ValidationFile = z.infer<typeof ValidationFile>

export const SimilarIssue = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string(),
  labels: z.array(z.string()),
  state: z.string(),
  url: z.string(),
  createdAt: z.string().nullable(),
  similarity_score: z.number(),
  /** What earned the score, one phrase per part. */
  reasons: z.array(z.string()),
})
export type SimilarIssue = z.infer<typeof SimilarIssue>

export const DuplicatesFile = z.object({
  version: z.literal('1.0'),
  timestamp: z.iso.datetime(),
  search_terms: z.object({
    dialect: z.string().nullable(),
    failing_pass: z.string().nullable(),
    crash_type: z.string(),
    keywords: z.array(z.string()).max(10),
    assertion_message: z.string().nullable(),
  }),
  results: z.object({ total_found: z.int(), top_score: z.number(), issues: z.array(SimilarIssue).max(5) }),
  recommendation: z.object({
    action: z.enum(['review_existing', 'likely_new', 'new_issue', 'unknown']),
    confidence: z.enum(['high', 'medium', 'low']),
    reason: z.string(),
  }),
})
export type DuplicatesFile = z.infer<typeof DuplicatesFile>
