import { z } from 'zod'
import { Artifact, RelativePath } from './artifact.js'
import { CommitId, FileChange, RepositoryRef } from './git.js'
import { AcceptanceCriterion } from './phase.js'
import { GateName, GateStatus, QualityConfig, QualityReport } from './quality.js'
import { TestName } from './test-name.js'

/** What history keeps of a `QualityReport`; the whole of it is an artifact. */
export const QualityExtract = QualityReport.pick({ overallStatus: true, score: true, isSandboxed: true }).extend({
  reasons: z.array(z.string().max(300)).max(10),
  gates: z.array(z.object({ name: GateName, status: GateStatus, details: z.string().max(200) })).max(7),
  /** Criteria that no test and no command could judge. */
  unmeasured: z.array(z.string().max(500)).max(30),
  report: Artifact,
})
export type QualityExtract = z.infer<typeof QualityExtract>

const Place = { run_id: z.string(), repository: RepositoryRef }

/** Order of `measureTests`: runs the project's tests at `commit`, with the configuration of `config`. */
export const MeasureTestsOrder = z.object({
  ...Place,
  phase: z.enum(['tdd', 'develop']),
  commit: CommitId,
  /** Where the phase began: what differs from it is the attempt's own. */
  before: CommitId,
  /** Where the task began: what failed there already does not count against its implementation. */
  origin: CommitId,
  /** The run's base: an agent that may edit the project may edit its configuration too. */
  config: CommitId,
  /** True when the task has tests that it must make pass. */
  of_task: z.boolean(),
  /** Those of them that were seen red, as far as a payload holds them: each must be seen to pass. */
  red: z.array(TestName).max(200),
  allow_unsandboxed: z.boolean(),
})
export type MeasureTestsOrder = z.infer<typeof MeasureTestsOrder>

/** How a run of the project's tests was judged, for RED or GREEN. */
export const TestVerdict = z.object({
  /** A word of `OUTCOMES.tdd` or `OUTCOMES.develop`. */
  outcome: z.string().max(30),
  sentence: z.string().max(2_000),
  failing: z.int().min(0),
  /** The new tests that fail, at RED. */
  red: z.array(TestName).max(200),
  /** Files of tests that the attempt changed: after RED nobody else may. */
  test_files: z.array(RelativePath).max(500),
  changes: z.array(FileChange).max(50),
  changed_files: z.int().min(0),
  /** Names, files and first lines of failures, for the next prompt. */
  report: Artifact,
  is_sandboxed: z.boolean(),
})
export type TestVerdict = z.infer<typeof TestVerdict>

/** Order of `measureGates`. */
export const MeasureGatesOrder = z.object({
  ...Place,
  commit: CommitId,
  config: CommitId,
  quality: QualityConfig,
  criteria: z.array(AcceptanceCriterion).max(30),
  /** Seconds that all gates together may take; null is each gate's own limit. */
  limit_seconds: z.number().positive().nullable(),
  allow_unsandboxed: z.boolean(),
})
export type MeasureGatesOrder = z.infer<typeof MeasureGatesOrder>
