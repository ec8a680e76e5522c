import { z } from 'zod'

/** Seed 001, 5.7: the gates in their order. */
export const GateName = z.enum(['build', 'test', 'coverage', 'lint', 'security', 'e2e', 'acceptance'])
export type GateName = z.infer<typeof GateName>

/** Four different things: `skipped` was not asked for or has nothing to run, `unavailable` was asked for and could not be measured. */
export const GateStatus = z.enum(['pass', 'fail', 'skipped', 'unavailable'])
export type GateStatus = z.infer<typeof GateStatus>

export const QualityLevel = z.enum(['fast', 'balanced', 'strict'])
export type QualityLevel = z.infer<typeof QualityLevel>

export const QualityConfig = z.strictObject({
  level: QualityLevel,
  tdd: z.boolean(),
  /** Percent of lines; 0 asks for none. */
  minCoverage: z.number().min(0).max(100),
  strictLint: z.boolean(),
  securityScan: z.boolean(),
  e2eTests: z.boolean(),
  /** What an `unavailable` gate that would block does. */
  unavailable: z.enum(['block', 'warn']),
})
export type QualityConfig = z.infer<typeof QualityConfig>

/** How a project's tests ended. Only `failed` is RED, only `passed` is GREEN. `unmeasured`: no report said anything. */
export const TestOutcome = z.enum(['passed', 'failed', 'not_collected', 'no_tests', 'unmeasured'])
export type TestOutcome = z.infer<typeof TestOutcome>

export const GateResult = z.strictObject({
  status: GateStatus,
  isBlocking: z.boolean(),
  /** One line for people. */
  details: z.string(),
  /** As it ran, without paths of this machine; null when nothing ran. */
  command: z.array(z.string()).nullable(),
  seconds: z.number().nonnegative(),
  exitCode: z.int().nullable(),
  /** The last lines of what the command printed. */
  tail: z.string(),
})
export type GateResult = z.infer<typeof GateResult>

const TestFailure = z.strictObject({
  name: z.string(),
  file: z.string().nullable(),
  /** `error`: the test ran and threw something that is no assertion. */
  kind: z.enum(['assertion', 'error', 'collection']),
  message: z.string(),
})

const TestGate = GateResult.extend({
  outcome: TestOutcome.nullable(),
  passed: z.int(),
  failed: z.int(),
  skipped: z.int(),
  /** The first of them. */
  failures: z.array(TestFailure),
})
export type TestGate = z.infer<typeof TestGate>

const CoverageGate = GateResult.extend({
  /** Percent; null where the tool did not say. */
  line: z.number().nullable(),
  function: z.number().nullable(),
  branch: z.number().nullable(),
  threshold: z.number(),
})
export type CoverageGate = z.infer<typeof CoverageGate>

/** Null where the tool's report could not be read. */
const LintGate = GateResult.extend({ errors: z.int().nullable(), warnings: z.int().nullable() })
export type LintGate = z.infer<typeof LintGate>

const SecurityGate = GateResult.extend({
  vulnerabilities: z
    .strictObject({ critical: z.int(), high: z.int(), moderate: z.int(), low: z.int(), info: z.int() })
    .nullable(),
})
export type SecurityGate = z.infer<typeof SecurityGate>

export const CriterionResult = z.strictObject({
  criterion: z.string(),
  status: z.enum(['pass', 'fail', 'unmeasured']),
  judgedBy: z.enum(['test', 'command', 'reviewer']),
  details: z.string(),
})
export type CriterionResult = z.infer<typeof CriterionResult>

/** The seed's name `AcceptanceResult` is kept for the review. */
const AcceptanceGate = GateResult.extend({ criteria: z.array(CriterionResult) })
export type AcceptanceGate = z.infer<typeof AcceptanceGate>

export const QualityReport = z.strictObject({
  build: GateResult,
  test: TestGate,
  coverage: CoverageGate,
  lint: LintGate,
  security: SecurityGate,
  e2e: TestGate,
  acceptance: AcceptanceGate,
  /** `unverified` is not a pass: nothing failed, but something that had to be measured was not. */
  overallStatus: z.enum(['pass', 'fail', 'unverified']),
  /** Why it is not a pass, a line each; empty for a pass. */
  reasons: z.array(z.string()),
  /** 0 to 100 over the gates that ran; null when none did. It never decides. */
  score: z.number().nullable(),
  config: QualityConfig,
  isSandboxed: z.boolean(),
  /** What a person should know of the copy that was judged (files left out). */
  notes: z.array(z.string()),
})
export type QualityReport = z.infer<typeof QualityReport>

/** Program and arguments. `{report}` in an argument is the path of the report, `{reports}` its folder; both outside the project. */
const Argv = z.array(z.string().min(1).max(4000)).min(1).max(200)
const Seconds = z.int().min(1).max(3600)
const PlainGate = z.strictObject({ command: Argv, seconds: Seconds.optional() })

/** `gauntlet.json`, or "gauntlet" in package.json. */
export const GatesConfig = z.strictObject({
  quality: QualityConfig.partial().optional(),
  gates: z
    .strictObject({
      build: PlainGate.optional(),
      test: PlainGate.extend({ report: z.enum(['junit', 'jest', 'vitest', 'tap']) }).optional(),
      coverage: PlainGate.extend({ report: z.enum(['istanbul', 'coverage.py', 'lcov']) }).optional(),
      lint: PlainGate.optional(),
      security: PlainGate.optional(),
      e2e: PlainGate.extend({ report: z.enum(['junit', 'jest', 'vitest', 'tap']) }).optional(),
      acceptance: z
        .strictObject({
          criteria: z
            .array(
              z.strictObject({
                criterion: z.string().min(1).max(500),
                /** The full name of a test of the test gate. */
                test: z.string().min(1).max(500).optional(),
                command: Argv.optional(),
              }),
            )
            .max(100),
        })
        .optional(),
    })
    .optional(),
})
export type GatesConfig = z.infer<typeof GatesConfig>
