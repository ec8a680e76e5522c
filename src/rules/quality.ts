import type { GateName, GateResult, QualityConfig, QualityLevel, QualityReport } from '../contracts/quality.js'

/** Seed 001, 5.7: the order in which the gates run. */
export const GATES = [
  'build',
  'test',
  'coverage',
  'lint',
  'security',
  'e2e',
  'acceptance',
] as const satisfies GateName[]

/** What each level asks for; `strict` is the default. `e2eTests` means: if the project has any. */
const LEVELS = {
  fast: { tdd: false, minCoverage: 0, strictLint: false, securityScan: false, e2eTests: false },
  balanced: { tdd: false, minCoverage: 60, strictLint: true, securityScan: true, e2eTests: false },
  strict: { tdd: true, minCoverage: 80, strictLint: true, securityScan: true, e2eTests: true },
} as const satisfies Record<QualityLevel, Partial<QualityConfig>>

/** The project's own level and values. A level that was asked for takes the place of both: only `unavailable` stays the project's. */
export function qualityOf(asked: QualityLevel | null, own: OwnQuality = {}): QualityConfig {
  const unavailable = own.unavailable ?? 'block'
  if (asked !== null) return { level: asked, ...LEVELS[asked], unavailable }
  const level = own.level ?? 'strict'
  const { tdd, minCoverage, strictLint, securityScan, e2eTests } = LEVELS[level]
  return {
    level,
    tdd: own.tdd ?? tdd,
    minCoverage: own.minCoverage ?? minCoverage,
    strictLint: own.strictLint ?? strictLint,
    securityScan: own.securityScan ?? securityScan,
    e2eTests: own.e2eTests ?? e2eTests,
    unavailable,
  }
}

type OwnQuality = { [Name in keyof QualityConfig]?: QualityConfig[Name] | undefined }

/** Build, test, e2e and acceptance always block; lint when strict, security when asked for, coverage when a minimum is set. */
export function isBlocking(gate: GateName, config: QualityConfig): boolean {
  if (gate === 'coverage') return config.minCoverage > 0
  if (gate === 'lint') return config.strictLint
  if (gate === 'security') return config.securityScan
  return true
}

export type GateResults = Pick<QualityReport, GateName>

/**
 * A blocking gate that failed makes it `fail`. Otherwise a blocking gate that could not be measured, or tests that were not
 * measured, make it `unverified`, which is not a pass.
 */
export function decideOverall(
  gates: GateResults,
  config: QualityConfig,
): Pick<QualityReport, 'overallStatus' | 'reasons'> {
  const blocking = GATES.filter((name) => gates[name].isBlocking)
  const failed = blocking.filter((name) => gates[name].status === 'fail')
  if (failed.length > 0) return { overallStatus: 'fail', reasons: failed.map((name) => reasonOf(name, gates[name])) }
  const isWarned = config.unavailable === 'warn'
  const unmeasured = blocking.filter((name) => gates[name].status === 'unavailable' && !isWarned)
  const reasons = unmeasured.map((name) => reasonOf(name, gates[name]))
  const hasTests = gates.test.status === 'pass'
  if (!hasTests && !unmeasured.includes('test')) reasons.push(`no tests were measured: ${gates.test.details}`)
  return { overallStatus: reasons.length === 0 ? 'pass' : 'unverified', reasons }
}

function reasonOf(name: GateName, { status, details }: GateResult): string {
  return `${name} ${status === 'fail' ? 'failed' : 'is unavailable'}: ${details}`
}
