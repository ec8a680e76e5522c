import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isPlaceholder, lastCommand, programOf } from '../../rules/quality-script.js'
import type { Env } from '../state-home.js'
import { isRealFolder } from './gate-box.js'
import {
  type CommandPlan,
  type CoveragePlan,
  type GatePlans,
  type LintPlan,
  type NoPlan,
  skipped,
  type SecurityPlan,
  type TestPlan,
  unavailable,
} from './gate-plan.js'
import { npmRegistry } from './npm-registry.js'
import type { PackageJson } from './project.js'

interface NodeProject {
  copy: string
  manifest: PackageJson
  env: Env
}

/** Seed 001, 5.7: `npm run build`, `npm test`, `npm run lint`, `npm audit`, `npm run e2e`, each where the project has the script. */
export function nodePlans(project: NodeProject): GatePlans {
  const { scripts, hasDependencies } = project.manifest
  const plans: GatePlans = {
    build: scriptPlan(scripts, 'build'),
    test: testPlan(scripts, ['test']),
    coverage: coveragePlan(project),
    lint: lintPlan(scripts),
    security: securityPlan(project),
    e2e: testPlan(scripts, ['e2e', 'test:e2e']),
  }
  if (!hasDependencies || isRealFolder(join(project.copy, 'node_modules'))) return plans
  const why = unavailable('the dependencies are not installed: there is no node_modules (npm ci)')
  const needing = (plan: GatePlans['build']) => ('argv' in plan ? why : plan)
  const [build, test, coverage, lint, e2e] = [plans.build, plans.test, plans.coverage, plans.lint, plans.e2e].map(
    needing,
  )
  return { ...plans, ...(withPlans({ build, test, coverage, lint, e2e }) as Partial<GatePlans>) }
}

function withPlans<T extends object>(plans: T): Partial<T> {
  return Object.fromEntries(Object.entries(plans).filter(([, plan]) => plan !== undefined)) as Partial<T>
}

type Scripts = PackageJson['scripts']

function scriptPlan(scripts: Scripts, name: string): CommandPlan | NoPlan {
  return scripts[name] === undefined ? noScript(name) : { argv: ['npm', 'run', name] }
}

function noScript(...names: string[]): NoPlan {
  return skipped(`package.json has no script ${names.map((name) => `"${name}"`).join(' or ')}`)
}

function testPlan(scripts: Scripts, names: readonly string[]): TestPlan | NoPlan {
  const name = names.find((each) => scripts[each] !== undefined)
  const script = scripts[name ?? '']
  if (name === undefined || script === undefined || isPlaceholder(script)) return noScript(...names)
  const npm = name === 'test' ? ['npm', 'test'] : ['npm', 'run', name]
  const runner = programOf(lastCommand(script))
  if (runner === 'vitest') return { argv: [...npm, '--', '--run', ...VITEST_REPORT], format: 'vitest', isSure: true }
  if (runner === 'jest')
    return { argv: [...npm, '--', '--ci', '--json', '--outputFile={report}'], format: 'jest', isSure: true }
  // Node's runner may be anywhere in a script, behind tsx or c8; it takes its reporter from here wherever it is.
  return { argv: npm, env: { NODE_OPTIONS: NODE_REPORT }, format: 'tap', isSure: /\bnode\b.*\s--test\b/.test(script) }
}

const VITEST_REPORT = ['--reporter=json', '--outputFile={report}']
// Quoted: the folder of our state may have blanks in its name.
const NODE_REPORT = '--test-reporter=tap "--test-reporter-destination={report}"'

function coveragePlan({ manifest: { scripts }, copy }: NodeProject): CoveragePlan | NoPlan {
  const own = ['coverage', 'test:coverage'].find((name) => scripts[name] !== undefined)
  if (own !== undefined) return { argv: ['npm', 'run', own], files: OWN_COVERAGE }
  const script = lastCommand(scripts['test'] ?? '')
  const runner = programOf(script)
  if (runner === 'jest') return { argv: ['npm', 'test', '--', '--ci', ...JEST_COVERAGE], files: SUMMARY }
  if (runner === 'vitest') {
    const providers = ['@vitest/coverage-v8', '@vitest/coverage-istanbul']
    if (!providers.some((name) => existsSync(join(copy, 'node_modules', name))))
      return skipped('not measured: vitest needs @vitest/coverage-v8, which is not installed')
    return { argv: ['npm', 'test', '--', '--run', ...VITEST_COVERAGE], files: SUMMARY }
  }
  const isNode = runner === 'node' && script.words.includes('--test') && script.isPlain
  if (isNode)
    return {
      argv: ['node', ...NODE_COVERAGE, ...script.words.slice(1)],
      files: [{ path: '{reports}/report', format: 'lcov' }],
    }
  return skipped('not measured: no script "coverage", and the runner of "test" is none whose coverage we can ask for')
}

/** A folder below: Vitest removes the one it is told, and the reports' own may be a mount, which nobody can remove. */
const SUMMARY = [{ path: '{reports}/coverage/coverage-summary.json', format: 'istanbul' }] as const
/** Within the project, where the usual tools write it. */
const OWN_COVERAGE = [
  { path: 'coverage/coverage-summary.json', format: 'istanbul' },
  { path: 'coverage/lcov.info', format: 'lcov' },
] as const
const JEST_COVERAGE = ['--coverage', '--coverageReporters=json-summary', '--coverageDirectory={reports}/coverage']
const VITEST_COVERAGE = [
  '--coverage.enabled',
  '--coverage.reporter=json-summary',
  '--coverage.reportsDirectory={reports}/coverage',
]
const NODE_COVERAGE = ['--experimental-test-coverage', '--test-reporter=lcov', '--test-reporter-destination={report}']

function lintPlan(scripts: Scripts): LintPlan | NoPlan {
  const script = scripts['lint']
  if (script === undefined) return noScript('lint')
  if (programOf(lastCommand(script)) !== 'eslint') return { argv: ['npm', 'run', 'lint'], format: null }
  return { argv: ['npm', 'run', 'lint', '--', '--format', 'json', '--output-file', '{report}'], format: 'eslint' }
}

function securityPlan({ manifest, copy, env }: NodeProject): SecurityPlan | NoPlan {
  if (!manifest.hasDependencies) return skipped('there are no dependencies to audit')
  if (existsSync(join(copy, 'package-lock.json'))) {
    const registry = npmRegistry(env)
    return {
      argv: ['npm', 'audit', '--json'],
      env: registry === null ? {} : { npm_config_registry: registry },
      format: 'npm-audit',
      seconds: 90,
    }
  }
  const other = ['pnpm-lock.yaml', 'yarn.lock', 'bun.lock'].find((name) => existsSync(join(copy, name)))
  const how = 'name a command as gates.security in gauntlet.json'
  return unavailable(other === undefined ? 'npm audit needs package-lock.json' : `no preset audits ${other}: ${how}`)
}
