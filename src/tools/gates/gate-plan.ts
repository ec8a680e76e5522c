import type { CoverageFormat } from '../../rules/test-report-coverage.js'

/** A command as data. Its first word is a program's name: see `resolveCommand`. */
export interface CommandPlan {
  /** `{report}` and `{reports}` stand for a file and its folder outside the project, fresh for each run. */
  argv: readonly string[]
  /** Variables besides the usual ones; the same words are replaced. */
  env?: Readonly<Record<string, string>>
  /** A second command, run when the first has ended, whatever its exit code. */
  after?: readonly string[]
  /** Default: the limit of every gate. */
  seconds?: number | undefined
}

/** Why a gate runs nothing. */
export interface NoPlan {
  status: 'skipped' | 'unavailable'
  details: string
}

export type TestFormat = 'tap' | 'jest' | 'vitest' | 'junit'

export interface TestPlan extends CommandPlan {
  format: TestFormat
  /** True when the runner is known to write this report: then none means that it broke before the first test. */
  isSure: boolean
}

export interface CoveragePlan extends CommandPlan {
  /** First that is there. Paths that begin with `{reports}` are outside the project, others within it. */
  files: readonly { path: string; format: CoverageFormat }[]
}

export interface LintPlan extends CommandPlan {
  format: 'eslint' | 'ruff' | null
}

export interface SecurityPlan extends CommandPlan {
  /** 'npm-audit' reads its JSON and runs with the network in a folder of its own; null goes by the exit code. */
  format: 'npm-audit' | null
}

/** What each gate of a project runs. Acceptance is the same for all of them. */
export interface GatePlans {
  build: CommandPlan | NoPlan
  test: TestPlan | NoPlan
  coverage: CoveragePlan | NoPlan
  lint: LintPlan | NoPlan
  security: SecurityPlan | NoPlan
  e2e: TestPlan | NoPlan
}

export function isPlan<T extends CommandPlan>(plan: T | NoPlan): plan is T {
  return 'argv' in plan
}

export function skipped(details: string): NoPlan {
  return { status: 'skipped', details }
}

export function unavailable(details: string): NoPlan {
  return { status: 'unavailable', details }
}
