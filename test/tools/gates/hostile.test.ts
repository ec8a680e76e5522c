import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { ProcessLimits } from '../../../src/contracts/process.js'
import type { GateName, QualityReport } from '../../../src/contracts/quality.js'
import { GATE_LIMITS } from '../../../src/tools/gates/gate-box.js'
import { listing } from '../../support/gates-listing.js'
import { aProject, hasSandbox, judged, nodeProject } from '../../support/gates-project.js'

const made: string[] = []
const kept = (folder: string) => {
  made.push(folder)
  return folder
}
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const header = "import test from 'node:test'\nimport assert from 'node:assert'\nimport fs from 'node:fs'\n"

const all = { only: ['build', 'test', 'lint'] } satisfies { only: GateName[] }

/** Judges a project whose test does this, and makes sure that the project is as it was. */
async function attacked(
  body: string,
  { limits = {}, only = ['test'] }: { limits?: Partial<ProcessLimits>; only?: GateName[] } = {},
): Promise<QualityReport> {
  const scripts = { build: 'node build.js', test: 'node --test', lint: 'node lint.js' }
  const repo = kept(
    nodeProject(scripts, {
      'build.js':
        "import fs from 'node:fs'; fs.mkdirSync('dist', {recursive: true}); fs.writeFileSync('dist/x', 'built')",
      'lint.js': "import fs from 'node:fs'; if (fs.readFileSync('dist/x', 'utf8') !== 'built') process.exit(1)",
      'a.test.js': `${header}test('a', async () => { ${body} })`,
    }),
  )
  const before = listing(repo)
  const report = await judged(repo, { only, limits: { ...GATE_LIMITS, ...limits } })
  expect(listing(repo)).toEqual(before)
  return report
}

describe('a test that', () => {
  it('never ends is stopped at the limit', async () => {
    const { test } = await attacked('for (;;) {}', { limits: { timeMs: 1500 } })
    expect(test).toMatchObject({ status: 'fail', outcome: 'unmeasured' })
    expect(test.details).toMatch(/^the command did not end within 1\.5 s and was stopped/)
  })

  it('floods the report of its runner gets no good one', async () => {
    const line = "'x'.repeat(1000) + '\\n'"
    const loop = `for (let i = 0; i < 20_000; i++) if (!process.stdout.write(${line})) await new Promise((done) => process.stdout.once('drain', done))`
    const { test } = await attacked(loop, { limits: { fileBytes: 2 * 1024 ** 2 } })
    expect(test).toMatchObject({ status: 'fail' })
    expect(test.details).toMatch(/wrote a file of more than 2 MB|cannot be relied on|before any test was reported/)
  })

  it('fills the disk, file by file, is stopped', async () => {
    const page =
      "fs.writeFileSync('f' + at, Buffer.alloc(4 << 20, 1)); await new Promise((done) => setTimeout(done, 50))"
    const { test } = await attacked(
      `for (let at = 0; at < 30; at++) { ${page} }; await new Promise((done) => setTimeout(done, 40_000))`,
      {
        limits: { diskBytes: 40 * 1024 ** 2 },
      },
    )
    expect(test).toMatchObject({ status: 'fail', outcome: 'unmeasured' })
    expect(test.details).toMatch(/^the command wrote more than 40 MB in all and was stopped/)
  }, 120_000)

  it('is a program of its own and prints 100 MB is stopped', async () => {
    const flood =
      "const mb = Buffer.alloc(1e6, 'x'); for (let i = 0; i < 100; i++) await new Promise((done) => process.stdout.write(mb, done))"
    const repo = kept(nodeProject({ test: 'node flood.js' }, { 'flood.js': flood }))
    const limits = { ...GATE_LIMITS, outputBytes: 10 * 1024 ** 2 }
    const { test } = await judged(repo, { only: ['test'], limits })
    expect(test).toMatchObject({ status: 'fail', outcome: 'unmeasured' })
    expect(test.details).toBe('the command printed more than 10 MB and was stopped')
    expect(test.tail.length).toBeLessThanOrEqual(4000)
  })

  it.skipIf(!existsSync('/proc/self/status'))('starts many processes is stopped', async () => {
    const fork =
      "const { spawn } = await import('node:child_process'); for (let i = 0; i < 60; i++) spawn('sleep', ['3'])"
    const { test } = await attacked(`${fork}; await new Promise((done) => setTimeout(done, 3000))`, {
      limits: { processes: 50 },
    })
    expect(test.details).toMatch(/^the command had more than 50 processes and threads at once and was stopped/)
  })

  it('kills the runner leaves no good report behind', async () => {
    const { test } = await attacked("process.kill(process.ppid, 'SIGKILL')")
    expect(test).toMatchObject({ status: 'fail' })
    expect(test.outcome).not.toBe('passed')
  })

  it('removes its copy of the project is told, and the gates after it judge a fresh one', async () => {
    const { test, lint } = await attacked(
      "for (const name of fs.readdirSync('.')) fs.rmSync(name, { recursive: true })",
      all,
    )
    expect(test.details).toMatch(/it removed 4 files of the project \(.*\): the gates after it got a fresh copy$/)
    expect(lint.status).toBe('pass')
  })

  it('makes the linter good is told, and the linter is as it was', async () => {
    const { test, lint } = await attacked("fs.writeFileSync('lint.js', 'process.exit(7)')", all)
    expect(test).toMatchObject({ status: 'pass' })
    expect(test.details).toMatch(/it changed 1 files of the project \(lint\.js\)/)
    expect(lint.status).toBe('pass')
  })

  it('keeps the time and size of what it changes is told all the same', async () => {
    const quiet =
      "const s = fs.statSync('lint.js'); fs.writeFileSync('lint.js', ' '.repeat(s.size)); fs.utimesSync('lint.js', s.atime, s.mtime)"
    expect((await attacked(quiet)).test.details).toMatch(/it changed 1 files of the project \(lint\.js\)/)
  })

  it('writes what steers terminals to its output says it without them', async () => {
    const { test } = await attacked(`console.log('\\u001b[2Jgone\\u0007\\u202e'); assert.ok(false)`)
    expect(test.outcome).toBe('failed')
    // eslint-disable-next-line no-control-regex -- what is looked for
    expect(JSON.stringify(test)).not.toMatch(/\\u001b|\u001b|\\u0007|\u202e/)
  })

  it.skipIf(!hasSandbox)('writes outside of its copy changes nothing there (skipped without bubblewrap)', async () => {
    const outside = kept(aProject({ 'mine.txt': 'mine' }))
    const target = JSON.stringify(join(outside, 'mine.txt'))
    const { test } = await attacked(`fs.writeFileSync(${target}, 'theirs')`)
    expect(test).toMatchObject({ status: 'fail', outcome: 'failed', failures: [{ kind: 'error' }] })
    expect(readFileSync(join(outside, 'mine.txt'), 'utf8')).toBe('mine')
  })

  it.skipIf(!hasSandbox)(
    'reads other folders, our variables or the network gets nothing (skipped without bubblewrap)',
    async () => {
      const outside = kept(aProject({ 'mine.txt': 'mine' }))
      process.env['GATES_SECRET'] = 'planted-secret'
      const probe = `const { homedir } = await import('node:os'); const net = await import('node:net')
      assert.equal(JSON.stringify(process.env).includes('planted-secret'), false)
      assert.equal(fs.existsSync(${JSON.stringify(outside)}), false)
      const error = await new Promise((done) => net.connect(1, '192.0.2.1').on('error', done))
      assert.equal(error.code, 'ENETUNREACH')`
      const { test } = await attacked(probe)
      delete process.env['GATES_SECRET']
      expect(test).toMatchObject({ status: 'pass', passed: 1 })
    },
  )

  it.skipIf(!hasSandbox)(
    'changes the tools among the dependencies is refused (skipped without bubblewrap)',
    async () => {
      const repo = kept(
        nodeProject(
          { test: 'node --test', lint: 'tool' },
          {
            'a.test.js': `${header}test('a', () => { fs.writeFileSync('node_modules/.cache/ok', ''); fs.writeFileSync('node_modules/tool/tool.js', '') })`,
            'node_modules/tool/tool.js': '#!/usr/bin/env node\nprocess.exit(3)',
          },
        ),
      )
      mkdirSync(join(repo, 'node_modules/.bin'))
      symlinkSync('../tool/tool.js', join(repo, 'node_modules/.bin/tool'))
      execFileSync('chmod', ['+x', join(repo, 'node_modules/tool/tool.js')])
      const { test, lint } = await judged(repo, { only: ['test', 'lint'] })
      expect(test.failures[0]?.message).toMatch(/EROFS.*tool\.js/)
      expect(lint).toMatchObject({ status: 'fail', exitCode: 3 })
    },
  )
})

describe('a project', () => {
  const good = `${header}test('a', () => assert.equal(fs.readFileSync('li\\nne.txt', 'utf8'), 'x'))`

  it('with line breaks in names, links out of it, pipes, hooks and ignored files is copied without what does not belong', async () => {
    const outside = kept(aProject({ 'secret.txt': 'planted-secret' }))
    const repo = kept(
      nodeProject(
        { test: 'node --test', lint: 'node list.js' },
        {
          'li\nne.txt': 'x',
          'a.test.js': good,
          'list.js': "import fs from 'node:fs'; console.log(JSON.stringify(fs.readdirSync('.').sort()))",
          '.gitignore': '.env\n',
          '.env': 'TOKEN=planted-secret',
          'sub/b.txt': '',
        },
      ),
    )
    execFileSync('git', ['init', '-q', repo])
    writeFileSync(join(repo, '.git/hooks/post-checkout'), '#!/bin/sh\ntouch hooked\n', { mode: 0o755 })
    execFileSync('git', ['-C', repo, 'config', 'core.fsmonitor', `touch ${outside}/ran; false`])
    symlinkSync(join(outside, 'secret.txt'), join(repo, 'away'))
    symlinkSync('../..', join(repo, 'sub/up'))
    symlinkSync('sub/b.txt', join(repo, 'inner'))
    execFileSync('mkfifo', [join(repo, 'pipe')])
    const before = listing(repo)
    const { test, lint, notes } = await judged(repo, { only: ['test', 'lint'] })
    expect(test).toMatchObject({ status: 'pass', passed: 1 })
    const names = ['.gitignore', 'a.test.js', 'inner', 'li\nne.txt', 'list.js', 'package.json', 'sub']
    expect(JSON.parse(lint.tail.split('\n').at(-1) ?? '')).toEqual(names)
    expect(notes.toSorted()).toEqual([
      '1 files that are neither files nor folders were left out: pipe',
      '2 links that lead out of the project, or nowhere, were left out: away, sub/up',
    ])
    expect(listing(repo)).toEqual(before)
    expect(listing(outside)).toHaveLength(1)
  })

  it('whose report is a link to somewhere else has no report', async () => {
    const outside = kept(aProject({ 'r.xml': '<testsuite tests="1"><testcase name="a"/></testsuite>' }))
    const config = { gates: { test: { command: ['node', 'run.cjs', '{report}'], report: 'junit' } } }
    const run = `require('fs').symlinkSync(${JSON.stringify(join(outside, 'r.xml'))}, process.argv[2])`
    const repo = kept(aProject({ 'gauntlet.json': JSON.stringify(config), 'run.cjs': run }))
    const { test } = await judged(repo, { only: ['test'] })
    expect(test).toMatchObject({ status: 'fail', outcome: 'unmeasured', passed: 0 })
  })

  it('whose command is a path out of it is not run', async () => {
    const config = { gates: { lint: { command: ['../../../bin/echo'] } } }
    const repo = kept(aProject({ 'gauntlet.json': JSON.stringify(config) }))
    const { lint } = await judged(repo, { only: ['lint'] })
    expect(lint).toMatchObject({ status: 'unavailable', command: null })
  })

  it.each([
    ['a shell line', { gates: { lint: { command: 'npx oxlint' } } }, /gauntlet\.json: gates\.lint\.command/],
    ['a gate that does not exist', { gates: { lnt: { command: ['x'] } } }, /gauntlet\.json: gates/],
    ['a test without a report', { gates: { test: { command: ['x'] } } }, /gates\.test\.report/],
    ['a minimum above 100', { quality: { minCoverage: 101 } }, /quality\.minCoverage/],
  ])('with %s in its configuration is refused by name', async (_, config, message) => {
    const repo = kept(aProject({ 'gauntlet.json': JSON.stringify(config) }))
    await expect(judged(repo)).rejects.toMatchObject({
      type: 'Contract.Violated',
      message: expect.stringMatching(message),
    })
  })
})
