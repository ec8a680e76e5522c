import type { GatesConfig, QualityConfig } from '../../contracts/quality.js'
import type { GateBox } from './gate-box.js'
import { type GatePlans, type NoPlan, skipped } from './gate-plan.js'
import { nodePlans } from './node-plans.js'
import type { Project } from './project.js'
import { pythonPlans } from './python-plans.js'

/** What each gate runs: the project's own command, else the preset of its kind, if the quality level asks for the gate at all. */
export function planGates(box: GateBox, { kind, manifest, config }: Project, quality: QualityConfig): GatePlans {
  const presets =
    manifest !== null
      ? nodePlans({ copy: box.copy, manifest, env: box.env })
      : kind === 'python'
        ? pythonPlans(box)
        : noPresets(kind)
  const plans = { ...presets, ...ownPlans(config.gates ?? {}) }
  return {
    ...plans,
    security: quality.securityScan ? plans.security : skipped('a security scan is not asked for'),
    e2e: quality.e2eTests ? plans.e2e : skipped('end-to-end tests are not asked for'),
  }
}

function noPresets(kind: Project['kind']): GatePlans {
  const what = kind === 'other' ? 'a project of this kind' : kind === 'go' ? 'Go' : 'Rust'
  const none = (gate: string): NoPlan =>
    skipped(`no preset for ${what}: name a command as gates.${gate} in gauntlet.json`)
  return {
    build: none('build'),
    test: none('test'),
    coverage: none('coverage'),
    lint: none('lint'),
    security: none('security'),
    e2e: none('e2e'),
  }
}

function ownPlans(gates: NonNullable<GatesConfig['gates']>): Partial<GatePlans> {
  const { build, test, coverage, lint, security, e2e } = gates
  return {
    ...(build === undefined ? {} : { build: { argv: build.command, seconds: build.seconds } }),
    ...(test === undefined ? {} : { test: ownTests(test) }),
    ...(coverage === undefined ? {} : { coverage: ownCoverage(coverage) }),
    ...(lint === undefined ? {} : { lint: { argv: lint.command, seconds: lint.seconds, format: null } }),
    ...(security === undefined
      ? {}
      : { security: { argv: security.command, seconds: security.seconds, format: null } }),
    ...(e2e === undefined ? {} : { e2e: ownTests(e2e) }),
  }
}

type Own<T extends keyof NonNullable<GatesConfig['gates']>> = NonNullable<NonNullable<GatesConfig['gates']>[T]>

function ownTests({ command, report, seconds }: Own<'test'>): GatePlans['test'] {
  return { argv: command, seconds, format: report, isSure: true }
}

function ownCoverage({ command, report, seconds }: Own<'coverage'>): GatePlans['coverage'] {
  const format = report
  return {
    argv: command,
    seconds,
    files: [
      { path: '{reports}/report', format },
      { path: '{reports}/coverage-summary.json', format },
    ],
  }
}
