import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { judgeRed } from '../../../src/rules/phase/judge-tests.js'
import type { TestPlan } from '../../../src/tools/gates/gate-plan.js'
import { measureTests } from '../../../src/tools/gates/measure-tests.js'
import { nodePlans } from '../../../src/tools/gates/node-plans.js'
import type { Project } from '../../../src/tools/gates/project.js'
import { restrictTests } from '../../../src/tools/gates/restrict-tests.js'
import { openBox } from '../../../src/tools/gates/run-gates.js'
import { workspaceOf } from '../../../src/tools/gates/workspace.js'
import { aProject, hasSandbox, installOurs } from '../../support/gates-project.js'
import { put, runner } from '../../support/git-repository.js'

const made: string[] = []
const kept = (folder: string) => {
  made.push(folder)
  return folder
}
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const there = {
  'test/add.test.ts': '',
  'test/more.test.js': '',
  'src/x.ts': '',
  'tests/test_a.py': '',
  '-x.test.js': '',
}

function nodeOf(script: string): Project {
  return { kind: 'node', manifest: { scripts: { test: script }, hasDependencies: false }, config: {} }
}

function planOf(project: Project, copy: string): TestPlan {
  const plan = project.manifest === null ? PYTEST : nodePlans({ copy, manifest: project.manifest, env: {} }).test
  if (!('argv' in plan)) throw new Error(plan.details)
  return plan
}

const PYTEST: TestPlan = { argv: ['python', '-m', 'pytest'], format: 'junit', isSure: true }
const UNITTEST: TestPlan = { ...PYTEST, argv: ['python', 'unittest-report.py'] }
const python: Project = { kind: 'python', manifest: null, config: {} }

describe('tests are restricted to files', () => {
  it.each<[string, Project, readonly string[], readonly string[]]>([
    ['of Vitest', nodeOf('vitest'), ['test/add.test.ts', 'src/x.ts'], ['test/add.test.ts']],
    ['of Jest, as patterns', nodeOf('jest --ci'), ['test/add.test.ts'], [String.raw`test/add\.test\.ts$`]],
    ['of Node', nodeOf('node --test'), ['test/more.test.js', 'gone.test.js'], ['--', 'test/more.test.js']],
    ['of pytest', python, ['tests/test_a.py', 'src/x.ts'], ['tests/test_a.py']],
  ])('%s', (_what, project, files, expected) => {
    const copy = kept(aProject(there))
    const plan = planOf(project, copy)
    const argv = restrictTests(plan, project, { copy, files })?.argv
    expect(argv?.slice(0, plan.argv.length)).toEqual(plan.argv)
    expect(argv?.slice(plan.argv.length)).toEqual(expected)
  })

  it.each<[string, Project, readonly string[], TestPlan?]>([
    ['none of them is a file of tests', nodeOf('vitest'), ['src/x.ts', 'gone.test.ts']],
    ['there is none', nodeOf('vitest'), []],
    ['a name looks like an option', nodeOf('node --test'), ['-x.test.js']],
    ['Node has patterns of its own', nodeOf('node --test test/'), ['test/more.test.js']],
    ['a shell runs Node', nodeOf('tsc && node --test'), ['test/more.test.js']],
    ['the runner is not known', nodeOf('mocha'), ['test/more.test.js']],
    [
      'the project has a command of its own',
      { ...nodeOf('vitest'), config: { gates: { test: { command: ['x'], report: 'tap' } } } },
      ['test/add.test.ts'],
    ],
    ['unittest finds its own', python, ['tests/test_a.py'], UNITTEST],
  ])('not when %s', (_what, project, files, plan) => {
    const copy = kept(aProject(there))
    expect(restrictTests(plan ?? planOf(project, copy), project, { copy, files })).toBeNull()
  })
})

it('Vitest runs the tester’s file alone, and tells RED', async () => {
  const scratch = kept(aProject({}))
  const files = {
    'package.json': JSON.stringify({ type: 'module', scripts: { test: 'vitest' }, devDependencies: { vitest: '*' } }),
    'add.js': 'export const add = () => 0\n',
    'add.test.js':
      "import { expect, it } from 'vitest'\nimport { add } from './add.js'\nit('adds', () => expect(add(1, 2)).toBe(3))\n",
    'other.test.js': "import './gone.js'\n",
  }
  const { copy } = await workspaceOf(scratch, async () => {
    put(join(scratch, 'project'), files)
    installOurs(join(scratch, 'project'), ['vitest'])
    put(scratch, { 'project/node_modules/.bin/vitest': { link: '../vitest/vitest.mjs' } })
    return { files: Object.keys(files), notes: [] }
  })
  mkdirSync(join(scratch, 'home'), { recursive: true })
  const project: Project = { ...nodeOf('vitest'), config: {} }
  const signal = new AbortController().signal
  const order = {
    scratchRoot: scratch,
    run: runner,
    isSandboxed: hasSandbox,
    env: process.env,
    level: null,
    only: null,
    signal,
  }
  const box = await openBox(order, { project, scratch, copy })
  const plan = restrictTests(planOf(project, copy), project, { copy, files: ['add.test.js'] })
  if (plan === null) throw new Error('expected a plan')
  const { outcome, details, cases } = await measureTests(box, plan)
  expect({ outcome, details }).toEqual({ outcome: 'failed', details: '0 passed, 1 failed' })
  const own = cases.map((each) => ({ ...each, file: each.file?.replace(`${copy}/`, '') ?? null }))
  if (outcome === null) throw new Error('expected an outcome')
  const verdict = judgeRed({ outcome, details, cases: own, before: null, changed: ['add.test.js'], red: [] })
  expect(verdict).toMatchObject({ outcome: 'red', red: [{ name: 'adds', file: 'add.test.js' }] })
})
