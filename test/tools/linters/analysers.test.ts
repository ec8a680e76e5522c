import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { analyseTexts } from '../../../src/tools/linters/analysers.js'
import { runRuff } from '../../../src/tools/linters/python-programs.js'
import { runChild } from '../../../src/tools/linters/run-child.js'
import { openLinters, type TestLinters } from '../../support/linter-box.js'

let linters: TestLinters
let tools = ''
beforeAll(async () => {
  linters = await openLinters()
  tools = mkdtempSync(join(tmpdir(), 'gauntlet-tools-'))
})
afterAll(() => {
  linters.remove()
  rmSync(tools, { recursive: true, force: true })
})

/** Assembled here, so that no scanner takes this file for a leak. */
const TOKEN = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_')

const texts = [
  {
    path: 'a.ts',
    text: 'export function f(a: string): unknown {\n  // eslint-disable-next-line\n  return eval(a)\n}\njwt.decode(t)\n',
  },
  {
    path: 'b.jsx',
    text: 'export const b = (p) => <p dangerouslySetInnerHTML={{ __html: p }} />\nconst r = /^(a+)+$/\n',
  },
  {
    path: 'c.py',
    text: 'import yaml, re\ndef f(x, y=[]):\n    re.match(r"^(a+)+$", x)\n    return yaml.load(x, y.append(x))\n',
  },
  { path: 'd.txt', text: `one\ntoken = "${TOKEN}"\n` },
  { path: 'e.js', text: 'function (' },
]

describe('the analysers that come with the package', () => {
  it('find what they are for, whatever the comments of the text say, and name what they cannot read', async () => {
    const reports = await analyseTexts(linters.box, texts)
    const told = Object.fromEntries(
      reports.map(({ name, findings }) => [name, findings.map(({ path, line, rule }) => `${path}:${line} ${rule}`)]),
    )
    expect(told['eslint']).toEqual(expect.arrayContaining(['a.ts:3 no-eval', 'b.jsx:2 js/exponential-regexp']))
    expect(told['ast-grep']).toEqual(
      expect.arrayContaining([
        'a.ts:5 js/unverified-token',
        'b.jsx:1 js/raw-markup',
        'c.py:4 py/yaml-load',
        'c.py:3 py/exponential-regexp',
        'c.py:2 py/shared-default',
      ]),
    )
    expect(told['secretlint']).toEqual(['d.txt:2 secret/github'])
    expect(reports.map(({ name, status }) => [name, status])).toEqual([
      ['eslint', 'passed'],
      ['ast-grep', 'passed'],
      ['secretlint', 'passed'],
      ['ruff', 'unavailable'],
      ['bandit', 'unavailable'],
    ])
    expect(reports[0]?.failures).toEqual([{ path: 'e.js', reason: expect.stringContaining('cannot be read') }])
    expect(reports[0]?.note).toMatch(/^2 files read; 1 not: e\.js/)
    expect(JSON.stringify(reports)).not.toContain(TOKEN)
  })

  it('say what they skip, and pass over texts that programs made', async () => {
    const [eslint, , , ruff] = await analyseTexts(linters.box, [
      { path: 'min.js', text: `eval(a);${'x'.repeat(30_000)}` },
    ])
    expect(eslint).toMatchObject({
      status: 'failed',
      failures: [{ path: 'min.js', reason: 'too large for analysers' }],
    })
    expect(ruff?.status).toBe('skipped')
  })

  it('keep to a text that kills its process: the others are read', async () => {
    const folder = join(tools, 'dist', 'tools', 'linters')
    mkdirSync(folder, { recursive: true })
    const script = join(folder, 'child.mjs')
    writeFileSync(
      script,
      `import { appendFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
const tell = (line) => appendFileSync(process.argv[3], JSON.stringify(line) + '\\n')
for (const [index, { path }] of JSON.parse(await text(process.stdin)).entries()) {
  tell({ index, begins: true })
  if (path === 'crash') process.kill(process.pid, 'SIGSEGV')
  if (path === 'crash') await new Promise(() => setTimeout(() => {}, 5000))
  tell({ index, findings: [{ path, rule: 'r', line: 1, endLine: 1, message: '' }] })
}`,
    )
    const box = { ...linters.box, childScript: script }
    const given = ['a', 'crash', 'b', 'crash', 'c'].map((path) => ({ path, text: '' }))
    const outcomes = await runChild(box, 'any', given)
    expect(outcomes.map((each) => ('failure' in each ? each.failure : each.findings[0]?.path))).toEqual([
      'a',
      expect.stringContaining('the analyser ended with'),
      'b',
      expect.stringContaining('the analyser ended with'),
      'c',
    ])
  })
})

describe('programs on PATH', () => {
  const program = (name: string, script: string) => {
    const folder = join(tools, 'bin')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(folder, name), 0o755)
    return { ...linters.box, env: { PATH: folder } }
  }
  const python = [texts[0]!, texts[2]!, { path: 'setup.py', text: 'x = 1\n' }]

  it('see copies under names of ours, and their findings come back under the names of the texts', async () => {
    const found = {
      code: 'S506',
      message: 'unsafe',
      filename: '/somewhere/f0/module.py',
      location: { row: 4 },
      end_location: { row: 4 },
    }
    const box = program(
      'ruff',
      `for last; do :; done; cd "$last" && [ -f f0/module.py ] && [ -f f1/module.py ] && [ ! -e setup.py ] && echo '${JSON.stringify([found])}' > results.json`,
    )
    const ruff = (await analyseTexts(box, python)).find(({ name }) => name === 'ruff')
    expect(ruff).toMatchObject({ status: 'passed', findings: [{ path: 'c.py', rule: 'ruff/S506', line: 4 }] })
  })

  it.each([
    ['breaks', 'exit 3', 'ruff ended with exit code 3'],
    ['says something else', 'for last; do :; done; echo hello > "$last/results.json"', 'ruff: expected JSON'],
    ['says nothing', 'true', 'results.json: not found'],
  ])('one that %s has failed, and that is said', async (_, script, words) => {
    const outcomes = await runRuff(program('ruff', script), python)
    expect(outcomes).toEqual(python.map(() => ({ failure: expect.stringContaining(words) })))
  })
})
