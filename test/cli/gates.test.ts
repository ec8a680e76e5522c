import { readdirSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { QualityReport } from '../../src/contracts/quality.js'
import { readXml } from '../../src/rules/test-report-xml.js'
import { aProject, hasSandbox, nodeProject } from '../support/gates-project.js'
import { type Typed, typed } from '../support/typed-cli.js'

let home = ''
const made: string[] = []

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'gauntlet-cli-'))
})

afterEach(async () => {
  await rm(home, { recursive: true, force: true })
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const passing = "import test from 'node:test'\ntest('a', () => {})"
const failing = "import test from 'node:test'\ntest('a', () => { throw new Error('no') })"

/** Types `gauntlet gates …` in a Node project with this test. */
async function gates(test: string, ...args: string[]): Promise<Typed> {
  const cwd = nodeProject({ test: 'node --test' }, { 'a.test.js': test })
  made.push(cwd)
  return await typed(['gates', ...args, ...(hasSandbox ? [] : ['--unsandboxed'])], { home, cwd })
}

describe('gauntlet gates', () => {
  it('prints a line for each gate and the verdict, exits 0 for a pass, and leaves nothing behind', async () => {
    const { exit, stdout } = await gates(passing, '--quality', 'fast')
    expect(stdout.split('\n').slice(0, 8)).toEqual([
      '–  build       skipped         package.json has no script "build"',
      expect.stringMatching(/^✔ {2}test {8}pass +\d+\.\d s {2}1 passed, 0 failed$/),
      expect.stringMatching(
        /^– {2}coverage +skipped +\d+\.\d s {2}not measured: the report knows no lines of the project$/,
      ),
      '–  lint        skipped         package.json has no script "lint"',
      '–  security    skipped         a security scan is not asked for',
      '–  e2e         skipped         end-to-end tests are not asked for',
      '–  acceptance  skipped         no criteria were given',
      '',
    ])
    expect(stdout).toMatch(/\npass: quality fast, score 100\.0 of 100/)
    expect(exit).toBe(0)
    expect(readdirSync(join(home, 'scratch'))).toEqual([])
  })

  it('exits 1 for a failure, with the report as one JSON document', async () => {
    const { exit, stdout, stderr } = await gates(failing, '--only', 'test', '--json')
    const report = QualityReport.parse(JSON.parse(stdout))
    expect(report).toMatchObject({ overallStatus: 'fail', reasons: ['test failed: 0 passed, 1 failed'] })
    expect([exit, stderr]).toEqual([1, ''])
  })

  it('exits 1 when nothing failed but the tests were not measured', async () => {
    const { exit, stdout } = await gates(passing, '--only', 'build')
    expect(stdout).toMatch(/\nunverified: quality strict, no score.*\n {2}no tests were measured: not asked for\n$/)
    expect(exit).toBe(1)
  })

  it.each(['json', 'junit'])('prints as --format %s', async (format) => {
    const { stdout } = await gates(passing, '--only', 'test', '--format', format)
    if (format === 'json') expect(QualityReport.parse(JSON.parse(stdout)).test.passed).toBe(1)
    else expect(readXml(stdout)).toMatchObject({ name: 'testsuites', attributes: { tests: '8', failures: '0' } })
  })

  it.each<[args: string[], line: string]>([
    [['--repo', 'gone'], '--repo: expected a folder, got "gone"'],
    [['--quality', 'best'], '--quality: expected one of fast, balanced, strict, got "best"'],
    [
      ['--only', 'test,tests'],
      '--only: expected some of build, test, coverage, lint, security, e2e, acceptance with commas between, got "test,tests"',
    ],
    [['--format', 'xml'], '--format: expected one of table, json, junit, got "xml"'],
  ])('%j is a mistake', async (args, line) => {
    expect(await typed(['gates', ...args], { home })).toEqual({ exit: 2, stdout: '', stderr: `gauntlet: ${line}\n` })
  })

  it('names the field of a configuration that does not fit', async () => {
    const cwd = aProject({ 'gauntlet.json': '{"gates": {"lint": {"command": "npx oxlint"}}}' })
    made.push(cwd)
    const { exit, stderr } = await typed(['gates', ...(hasSandbox ? [] : ['--unsandboxed'])], { home, cwd })
    expect(stderr).toMatch(/gauntlet: gauntlet\.json: gates\.lint\.command: expected array.*, got "npx oxlint"\n$/)
    expect(exit).toBe(2)
  })

  it('does not copy its own state when that lies within the project, blanks in its name or not', async () => {
    const cwd = nodeProject({ test: 'node --test' }, { 'a.test.js': passing })
    made.push(cwd)
    const unsandboxed = hasSandbox ? [] : ['--unsandboxed']
    const { exit } = await typed(['gates', '--quality', 'fast', ...unsandboxed], { home: join(cwd, 'my state'), cwd })
    expect(exit).toBe(0)
  })
})
