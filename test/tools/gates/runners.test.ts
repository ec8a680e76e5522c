import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { GateName } from '../../../src/contracts/quality.js'
import { aProject, installOurs, judged, nodeProject } from '../../support/gates-project.js'

const made: string[] = []
const kept = (folder: string) => {
  made.push(folder)
  return folder
}
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const only: GateName[] = ['test']

describe("Node's own runner", () => {
  const header = "import test from 'node:test'\nimport assert from 'node:assert'\n"
  it.each<[what: string, files: Record<string, string>, expected: object]>([
    ['passed', { 'a.test.js': `${header}test('a', () => {})` }, { status: 'pass', outcome: 'passed', passed: 1 }],
    [
      'failed by assertion',
      { 'a.test.js': `${header}test('a', () => assert.equal(1, 2))\ntest('b', () => {})` },
      { status: 'fail', outcome: 'failed', passed: 1, failed: 1, failures: [{ name: 'a', kind: 'assertion' }] },
    ],
    ['no tests ran', { 'a.js': '' }, { status: 'fail', outcome: 'no_tests' }],
    ['no tests ran in a file that has none', { 'a.test.js': 'console.log(1)' }, { outcome: 'no_tests', passed: 0 }],
    [
      'do not load',
      { 'a.test.js': "import './gone.js'", 'b.test.js': `${header}test('b', () => {})` },
      { status: 'fail', outcome: 'not_collected', passed: 1, failures: [{ kind: 'collection', file: 'a.test.js' }] },
    ],
    ['do not parse', { 'a.test.js': 'const x = ;' }, { outcome: 'not_collected' }],
    [
      'no tests, though the test code prints a report of its own',
      { 'a.test.js': "console.log('TAP version 13\\nok 1 - fake\\n1..1\\n# pass 1')" },
      { outcome: 'no_tests' },
    ],
    [
      'failed, though the test code ends the process with exit code 0',
      { 'a.test.js': `${header}test('a', () => { process.exitCode = 0; assert.ok(false) })` },
      { outcome: 'failed' },
    ],
  ])('%s', async (_, files, expected) => {
    const { test } = await judged(kept(nodeProject({ test: 'node --test' }, files)), { only })
    expect(test).toMatchObject(expected)
  })

  it('is believed by its report, not by an exit code that hides the failure', async () => {
    const files = { 'a.test.js': `${header}test('a', () => assert.equal(1, 2))` }
    const { test } = await judged(kept(nodeProject({ test: 'node --test || true' }, files)), { only })
    expect(test).toMatchObject({ status: 'fail', outcome: 'failed', exitCode: 0 })
    expect(test.details).toBe('0 passed, 1 failed, though the command ended with exit code 0')
  })

  it('is not believed when the command fails after a good report', async () => {
    const files = { 'a.test.js': `${header}test('a', () => {})` }
    const { test } = await judged(kept(nodeProject({ test: 'node --test && node -e "process.exit(4)"' }, files)), {
      only,
    })
    expect(test).toMatchObject({ status: 'fail', outcome: 'unmeasured', passed: 1, exitCode: 4 })
  })
})

describe('a runner without a report we can read', () => {
  it.each([
    ['is unavailable when it ends well', 'node -e 0', 'unavailable'],
    ['fails when it fails', 'node -e "process.exit(1)"', 'fail'],
  ])('%s', async (_, script, status) => {
    const { test, overallStatus } = await judged(kept(nodeProject({ test: script })), { only })
    expect(test).toMatchObject({ status, outcome: 'unmeasured', passed: 0 })
    expect(overallStatus).toBe(status === 'fail' ? 'fail' : 'unverified')
  })

  it('is judged by the report that gauntlet.json names', async () => {
    const write =
      'require(\'fs\').writeFileSync(process.argv[2], \'<testsuite tests="1"><testcase name="a"/></testsuite>\')'
    const config = { gates: { test: { command: ['node', 'run.cjs', '{report}'], report: 'junit' } } }
    const files = { 'run.cjs': write, 'gauntlet.json': JSON.stringify(config) }
    const { test } = await judged(kept(aProject(files)), { only })
    expect(test).toMatchObject({ status: 'pass', outcome: 'passed', command: ['node', 'run.cjs', '{report}'] })
  })

  it.each([
    ['a report cut short', '<testsuite tests="1"><testcase name="a"/>', /cannot be relied on: XML that is cut short/],
    ['no report', '', /before any test was reported|wrote no report/],
  ])('fails with %s', async (_, text, details) => {
    const write = `require('fs').writeFileSync(process.argv[2], ${JSON.stringify(text)})`
    const config = { gates: { test: { command: ['node', 'run.cjs', '{report}'], report: 'junit' } } }
    const files = { 'run.cjs': write, 'gauntlet.json': JSON.stringify(config) }
    const { test } = await judged(kept(aProject(files)), { only })
    expect(test).toMatchObject({ status: 'fail', outcome: 'unmeasured' })
    expect(test.details).toMatch(details)
  })
})

describe('Vitest', () => {
  it('is told apart: passed, failed by assertion, files that do not load, no tests', async () => {
    const manifest = JSON.stringify({ type: 'module', scripts: { test: 'vitest' }, devDependencies: { vitest: '*' } })
    const repo = kept(aProject({ 'package.json': manifest, 'a.test.js': vitestFile('expect(1).toBe(1)') }))
    installOurs(repo, ['vitest'])
    mkdirSync(join(repo, 'node_modules/.bin'))
    symlinkSync('../vitest/vitest.mjs', join(repo, 'node_modules/.bin/vitest'))
    const good = await judged(repo, { only: ['test', 'coverage'] })
    expect(good.test).toMatchObject({ status: 'pass', outcome: 'passed', passed: 1 })
    expect(good.coverage).toMatchObject({ status: 'skipped' })
    expect(good.coverage.details).toMatch(/@vitest\/coverage-v8, which is not installed/)

    writeFileSync(join(repo, 'a.test.js'), vitestFile('expect(1).toBe(2)'))
    writeFileSync(join(repo, 'b.test.js'), "import './gone.js'")
    const { test } = await judged(repo, { only })
    expect(test).toMatchObject({ status: 'fail', outcome: 'not_collected', failed: 1 })
    expect(test.failures.map((each) => `${each.file} ${each.kind}`).toSorted()).toEqual([
      'a.test.js assertion',
      'b.test.js collection',
    ])

    rmSync(join(repo, 'b.test.js'))
    expect((await judged(repo, { only })).test).toMatchObject({ outcome: 'failed', failed: 1 })
    rmSync(join(repo, 'a.test.js'))
    expect((await judged(repo, { only })).test).toMatchObject({ status: 'fail', outcome: 'no_tests' })
  })
})

const hasPytest = answers('python3', ['-c', 'import pytest'])
const hasVenv = answers('python3', ['-c', 'import venv'])

describe.each([
  { runner: 'pytest', isThere: hasPytest },
  { runner: 'unittest in a virtual environment', isThere: hasVenv },
])('$runner (skipped where it is not installed)', ({ runner, isThere }) => {
  const header = 'import unittest\nclass T(unittest.TestCase):\n'
  it.skipIf(!isThere).each<[what: string, files: Record<string, string>, expected: object]>([
    ['passed', { 'test_a.py': `${header}  def test_a(self): print("<testcase/>")\n` }, { status: 'pass', passed: 1 }],
    [
      'failed by assertion',
      { 'test_a.py': `${header}  def test_a(self): self.assertEqual(1, 2)\n  def test_b(self): None.x\n` },
      { outcome: 'failed', failed: 2, failures: [{ kind: 'assertion' }, { kind: 'error' }] },
    ],
    ['no tests ran', { 'a.py': '' }, { outcome: 'no_tests' }],
    [
      'do not load',
      { 'test_a.py': 'import gone\n', 'test_b.py': `${header}  def test_b(self): pass\n` },
      { outcome: 'not_collected', passed: 1, failures: [{ kind: 'collection' }] },
    ],
  ])('%s', async (_, files, expected) => {
    const repo = kept(aProject({ 'requirements.txt': '', ...files }))
    if (runner !== 'pytest') execFileSync('python3', ['-m', 'venv', '--without-pip', join(repo, '.venv')])
    const { test } = await judged(repo, { only })
    expect(test).toMatchObject(expected)
    expect(test.command?.includes('pytest')).toBe(runner === 'pytest')
  })
})

describe.skipIf(!hasPytest)('a Python project on a machine with pytest (skipped without pytest)', () => {
  const doctests = `import doctest, unittest
def load_tests(loader, tests, ignore):
    tests.addTests(doctest.DocTestSuite("calc"))
    return tests
class T(unittest.TestCase):
    def test_a(self): pass
`
  const files = { 'setup.py': '', 'calc.py': 'def one():\n    """\n    >>> one()\n    1\n    """\n    return 1\n' }
  it.each([
    ['runs unittest where its own command does', '[testenv]\ncommands = {envpython} -m unittest -v\n', 2],
    ['runs pytest where that is named, too', '[testenv]\ndeps = pytest\ncommands = python -m unittest\n', 1],
    ['runs pytest where nothing is said', '', 1],
  ])('%s', async (_, tox, passed) => {
    const tests = { 'tests/__init__.py': '', 'tests/test_calc.py': doctests }
    const { test } = await judged(kept(aProject({ ...files, ...tests, 'tox.ini': tox })), { only })
    expect(test).toMatchObject({ outcome: 'passed', passed })
  })

  it('tells which doctest failed', async () => {
    const broken = files['calc.py'].replace('return 1', 'return 2')
    const tests = { 'tests/__init__.py': '', 'tests/test_calc.py': doctests, Makefile: 'test:\n\tpython -m unittest\n' }
    const { test } = await judged(kept(aProject({ ...files, ...tests, 'calc.py': broken })), { only })
    expect(test).toMatchObject({ passed: 1, failed: 1, failures: [{ name: 'doctest.DocTestCase > calc.one' }] })
  })
})

function vitestFile(body: string): string {
  return `import { expect, test } from 'vitest'\ntest('a', () => { ${body} })\n`
}

function answers(program: string, args: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}
