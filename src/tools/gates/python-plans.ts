import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GateBox } from './gate-box.js'
import {
  type CoveragePlan,
  type GatePlans,
  type LintPlan,
  type NoPlan,
  skipped,
  type TestPlan,
  unavailable,
} from './gate-plan.js'

/** Where `UNITTEST_PROGRAM` lies. */
export const UNITTEST_FILE = 'unittest-report.py'

/** A Python project's gates: all sources compile, pytest or unittest, coverage.py, Ruff or Flake8 where the project asks for one. */
export function pythonPlans(box: GateBox): GatePlans {
  if (box.python === null) {
    const none = unavailable('python3 is not on PATH')
    return { build: none, test: none, coverage: none, lint: none, security: none, e2e: skipped('no preset for Python') }
  }
  const tests = testPlan(box)
  return {
    build: { argv: ['python', '-m', 'compileall', '-q', '-f', '-x', String.raw`(^|/)\.?(venv|tox|nox|git)/`, '.'] },
    test: tests,
    coverage: coveragePlan(box, tests),
    lint: lintPlan(box),
    security: securityPlan(box),
    e2e: skipped('no preset for Python: name a command as gates.e2e in gauntlet.json'),
  }
}

function testPlan(box: GateBox): TestPlan {
  if (has(box, 'pytest') && !asksUnittest(box)) return { argv: ['python', ...PYTEST], format: 'junit', isSure: true }
  const folder = ['tests', 'test'].find((name) => hasTests(join(box.copy, name)))
  const argv = [
    'python',
    join(box.scratch, 'tools', UNITTEST_FILE),
    '{report}',
    ...(folder === undefined ? [] : [folder]),
  ]
  return { argv, format: 'junit', isSure: true }
}

/** A project that runs unittest itself may count on what pytest leaves out: `load_tests`, and the doctests that it adds. */
function asksUnittest(box: GateBox): boolean {
  const said = ['tox.ini', 'noxfile.py', 'Makefile', 'pyproject.toml', 'setup.cfg'].map((name) => textOf(box, name))
  return /-m\s+unittest\b/.test(said.join('\n')) && !/\bpytest\b/i.test(said.join('\n'))
}

/** The older form of JUnit says which file a test is in. */
const PYTEST =
  '-m pytest -p no:cacheprovider --continue-on-collection-errors -o junit_family=xunit1 --junitxml={report}'.split(' ')

function hasTests(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).some((name) => /^test.*\.py$/.test(name))
}

function coveragePlan(box: GateBox, { argv }: TestPlan): CoveragePlan | NoPlan {
  if (!has(box, 'coverage')) return skipped('not measured: the module coverage is not installed')
  const data = '--data-file={reports}/data'
  const tests = argv.slice(1).map((word) => word.replace('{report}', '{reports}/tests.xml'))
  return {
    argv: [
      'python',
      '-m',
      'coverage',
      'run',
      '--branch',
      '--source=.',
      '--omit=tests/*,test_*.py,*/test_*.py',
      data,
      ...tests,
    ],
    after: ['python', '-m', 'coverage', 'json', '-q', data, '-o', '{report}'],
    files: [{ path: '{reports}/report', format: 'coverage.py' }],
  }
}

function lintPlan(box: GateBox): LintPlan | NoPlan {
  const asksRuff =
    ['ruff.toml', '.ruff.toml'].some((name) => isIn(box, name)) || textOf(box, 'pyproject.toml').includes('[tool.ruff')
  const asksFlake8 = isIn(box, '.flake8') || /^\[flake8\]/m.test(textOf(box, 'setup.cfg') + textOf(box, 'tox.ini'))
  if (asksRuff) {
    if (!has(box, 'ruff')) return unavailable('the project is configured for Ruff, which is not installed')
    const argv = [
      'python',
      '-m',
      'ruff',
      'check',
      '--no-cache',
      '--output-format',
      'json',
      '--output-file',
      '{report}',
      '.',
    ]
    return { argv, format: 'ruff' }
  }
  if (!asksFlake8) return skipped('the project configures neither Ruff nor Flake8')
  if (!has(box, 'flake8')) return unavailable('the project is configured for Flake8, which is not installed')
  return { argv: ['python', '-m', 'flake8'], format: null }
}

function securityPlan(box: GateBox): NoPlan {
  const listed = textOf(box, 'requirements.txt').replaceAll(/^\s*(?:#.*)?$/gm, '')
  const declares = /^\s*dependencies\s*=\s*\[\s*["'\n]|^\[tool\.poetry\.dependencies\]/m.test(
    textOf(box, 'pyproject.toml'),
  )
  if (listed.trim() === '' && !declares) return skipped('there are no dependencies to audit')
  return unavailable('no preset audits Python dependencies: name a command as gates.security in gauntlet.json')
}

function has({ python }: GateBox, module: string): boolean {
  return python?.modules.includes(module) === true
}

function isIn({ copy }: GateBox, name: string): boolean {
  return existsSync(join(copy, name))
}

function textOf(box: GateBox, name: string): string {
  return isIn(box, name) ? readFileSync(join(box.copy, name), 'utf8').slice(0, 1_000_000) : ''
}
