import { execFileSync } from 'node:child_process'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { QualityReport } from '../../../src/contracts/quality.js'
import { aProject, judged, nodeProject } from '../../support/gates-project.js'
import { statusesOf } from '../../support/gates-report.js'

const made: string[] = []
const kept = (folder: string) => {
  made.push(folder)
  return folder
}
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const example = (name: string) => fileURLToPath(new URL(`../../../examples/gates/${name}`, import.meta.url))

describe('the examples', () => {
  it('of Node passes all that it has, at the strictest level', async () => {
    const report = await judged(example('node-tally'))
    expect(statusesOf(report)).toEqual({
      build: 'pass',
      test: 'pass',
      coverage: 'pass',
      lint: 'pass',
      security: 'skipped',
      e2e: 'skipped',
      acceptance: 'pass',
    })
    expect(report).toMatchObject({ overallStatus: 'pass', reasons: [], score: 100, config: { level: 'strict' } })
    expect(report.coverage).toMatchObject({ line: 100, threshold: 80 })
    expect(report.acceptance.criteria.map((each) => [each.status, each.judgedBy])).toEqual([
      ['pass', 'test'],
      ['pass', 'command'],
    ])
    expect(QualityReport.parse(JSON.parse(JSON.stringify(report)))).toEqual(report)
    expect(JSON.stringify(report)).not.toContain('gauntlet-gates-')
  })

  it('of Python passes its tests (skipped without Python)', async ({ skip }) => {
    if (!answers('python3')) skip()
    const report = await judged(example('python-slug'), { only: ['build', 'test'], level: 'fast' })
    expect(report).toMatchObject({ overallStatus: 'pass', test: { passed: 3 }, build: { status: 'pass' } })
  })

  it('broken, fails by name in every gate that sees it, and all gates run', async () => {
    const repo = kept(aProject({}))
    cpSync(example('node-tally'), repo, { recursive: true })
    writeFileSync(
      join(repo, 'src/tally.js'),
      'export const tally = () => new Map()\nexport const winner = () => null\t\n',
    )
    const report = await judged(repo)
    expect(statusesOf(report)).toMatchObject({ build: 'pass', test: 'fail', lint: 'fail', acceptance: 'fail' })
    expect(report.test).toMatchObject({ outcome: 'failed', passed: 2, failed: 2 })
    expect(report.test.failures[0]).toMatchObject({ name: 'tally > counts each name', kind: 'assertion' })
    expect(report.reasons[0]).toBe('test failed: 2 passed, 2 failed')
    expect(report.lint.tail).toContain('src/tally.js:2: a tab or a trailing blank')
    expect(report.acceptance.criteria.map((each) => each.status)).toEqual(['fail', 'pass'])
    expect(report.overallStatus).toBe('fail')
  })
})

describe('what is missing', () => {
  it('is said gate by gate, and without tests nothing passes', async () => {
    const report = await judged(kept(nodeProject({ test: 'echo "Error: no test specified" && exit 1' })))
    expect(new Set(Object.values(statusesOf(report)))).toEqual(new Set(['skipped']))
    expect(report.build.details).toBe('package.json has no script "build"')
    expect(report).toMatchObject({ overallStatus: 'unverified', score: null })
  })

  it('is unavailable, not skipped, when the project asks for it', async () => {
    const gates = { lint: { command: ['no-such-linter-here'] } }
    const report = await judged(kept(aProject({ 'gauntlet.json': JSON.stringify({ gates }) })), { only: ['lint'] })
    expect(report.lint).toMatchObject({ status: 'unavailable', isBlocking: true })
    expect(report.lint.details).toMatch(/^no-such-linter-here: neither among the dependencies/)
    expect(report.reasons).toHaveLength(2)
  })

  it('are the dependencies: what would run says so, and does not run', async () => {
    const manifest = { scripts: { build: 'tsc', test: 'vitest' }, devDependencies: { vitest: '*' } }
    const report = await judged(kept(aProject({ 'package.json': JSON.stringify(manifest) })))
    expect(statusesOf(report)).toMatchObject({ build: 'unavailable', test: 'unavailable', lint: 'skipped' })
    expect(report.test.details).toMatch(/no node_modules/)
    expect(report.security).toMatchObject({ status: 'unavailable', details: 'npm audit needs package-lock.json' })
  })

  it.each([
    ['go.mod', /no preset for Go: name a command as gates\.test/],
    ['Cargo.toml', /no preset for Rust/],
    ['README.md', /no preset for a project of this kind/],
  ])('is a preset for a project with %s', async (name, details) => {
    expect((await judged(kept(aProject({ [name]: '' })))).test).toMatchObject({
      status: 'skipped',
      details: expect.stringMatching(details),
    })
  })
})

describe('coverage', () => {
  const half = 'export function used() { return 1 }\nexport function unused() {\n  return 2\n}\n'
  const test = "import t from 'node:test'\nimport { used } from './a.js'\nt('a', () => used())\n"

  it('below the minimum fails with its figures', async () => {
    const repo = kept(nodeProject({ test: 'node --test' }, { 'a.js': half, 'a.test.js': test }))
    const { coverage } = await judged(repo, { only: ['coverage'], level: 'strict' })
    expect(coverage).toMatchObject({ status: 'fail', threshold: 80, function: 50 })
    expect(coverage.line).toBeGreaterThan(40)
    expect(coverage.line).toBeLessThan(80)
  })

  it('of a script of its own is read from the project', async () => {
    const part = (covered: number) => ({ total: 10_000, covered, skipped: 0, pct: 0 })
    const total = { lines: part(7999), functions: part(1), branches: part(1) }
    const write = `import fs from 'node:fs'; fs.mkdirSync('coverage', { recursive: true }); fs.writeFileSync('coverage/coverage-summary.json', '${JSON.stringify({ total })}')`
    const repo = kept(nodeProject({ coverage: 'node write.js' }, { 'write.js': write }))
    const { coverage } = await judged(repo, { only: ['coverage'] })
    expect(coverage).toMatchObject({ status: 'fail', line: 79.99 })
    expect(coverage.details).toMatch(/^lines 79\.99 %/)
  })

  it('that was not measured is skipped', async () => {
    const { coverage } = await judged(kept(nodeProject({ coverage: 'node -e 0' })), { only: ['coverage'] })
    expect(coverage).toMatchObject({
      status: 'skipped',
      details: 'not measured: the command wrote no report of coverage',
    })
  })
})

describe('the security scan', () => {
  const manifest = { name: 'x', version: '1.0.0', dependencies: { 'some-package': '1.0.0' } }
  const lock = {
    ...manifest,
    lockfileVersion: 3,
    packages: { '': manifest, 'node_modules/some-package': { version: '1.0.0' } },
  }
  const files = { 'package.json': JSON.stringify(manifest), 'package-lock.json': JSON.stringify(lock) }
  // npm asks for the package itself once it hears of an advisory.
  const packument = { name: 'some-package', versions: { '1.0.0': { name: 'some-package', version: '1.0.0' } } }
  const advisory = (severity: string) => ({
    'some-package': [
      { id: 1, url: 'https://example.org/1', title: 't', severity, vulnerable_versions: '<2.0.0', cwe: [], cvss: {} },
    ],
  })

  it.each([
    ['high', 'fail', 'known vulnerabilities: 1 high'],
    ['moderate', 'pass', 'known vulnerabilities: 1 moderate'],
  ])('by npm, told of a %s one: %s', async (severity, status, details) => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        response.setHeader('content-type', 'application/json')
        const isPackage = request.method === 'GET'
        response.end(JSON.stringify(isPackage ? packument : advisory(severity)))
      })
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const env = { PATH: process.env['PATH'], npm_config_registry: registry }
    const { security } = await judged(kept(aProject(files)), { only: ['security'], env })
    server.closeAllConnections()
    server.close()
    expect(security).toMatchObject({ status, details })
  })

  it('by npm whose registry does not answer is unavailable', async () => {
    const env = { PATH: process.env['PATH'], npm_config_registry: 'http://127.0.0.1:9/' }
    const report = await judged(kept(aProject({ ...files, '.npmrc': 'fetch-retries=0' })), { only: ['security'], env })
    expect(report.security).toMatchObject({ status: 'unavailable', vulnerabilities: null })
    expect(report.security.details).toMatch(/^the audit service gave no answer/)
    expect(JSON.stringify(report)).not.toContain('127.0.0.1')
  })
})

it('stops when it is cancelled and leaves nothing behind', async () => {
  const repo = kept(nodeProject({ test: 'node -e "setTimeout(() => {}, 60000)"' }))
  const signal = AbortSignal.timeout(700)
  await expect(judged(repo, { signal })).rejects.toThrow(/timeout|abort/i)
})

function answers(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
}
