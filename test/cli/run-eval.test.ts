import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { typed } from '../support/typed-cli.js'

let home = ''

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'gauntlet-eval-')))
  put({ 'c/a.md': 'one', 'c/b.md': 'two', 'criteria.txt': 'good\n', 'judge.js': '', 'empty.txt': '# none\n' })
})

afterEach(() => {
  rmSync(home, { recursive: true, force: true })
})

function put(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
}

/** What is wrong is found before any server is looked for. */
async function refused(change: Readonly<Record<string, string | readonly string[] | undefined>>) {
  const options = { candidates: 'c', criteria: 'criteria.txt', judge: 'size=builtin:size', ...change }
  const argv = Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined) return []
    return [value].flat().flatMap((each) => [`--${name}`, each])
  })
  return await typed(['run', 'eval', '--unsandboxed', ...argv], { home })
}

describe('bad input is exit 2 and one line', () => {
  it.each<[what: string, change: Parameters<typeof refused>[0], line: string | RegExp]>([
    [
      'no candidates',
      { candidates: undefined },
      '--candidates: expected a folder of candidates or a JSON file, got nothing',
    ],
    [
      'candidates that are not there',
      { candidates: 'x' },
      '--candidates: expected a folder of candidates or a JSON file, got "x"',
    ],
    ['one candidate', { candidates: 'one' }, /^eval: candidates: expected at least two candidates, got \[/],
    [
      'the same name twice',
      { candidates: 'twice.json' },
      /^eval: candidates\.1\.name: expected each name once, but candidates\.0\.name is the same, got "a"$/,
    ],
    [
      'a list that is none',
      { candidates: 'none.json' },
      'none.json: (document): expected a list of candidates, got {}',
    ],
    [
      'a candidate that is two things',
      { candidates: 'both.json' },
      /^both.json: 0: expected exactly one of text, file, folder, branch/,
    ],
    ['a candidate that is not there', { candidates: 'gone.json' }, 'candidate "a": not found'],
    ['no criteria', { criteria: undefined }, '--criteria: expected a file with at least one criterion, got nothing'],
    [
      'empty criteria',
      { criteria: 'empty.txt' },
      '--criteria: expected at least one criterion, got none in "empty.txt"',
    ],
    ['no judge', { judge: undefined }, '--judge: expected at least one NAME=BACKEND, got nothing'],
    ['a judge without a backend', { judge: 'ada' }, /^--judge: expected NAME=BACKEND, .*, got "ada"$/],
    ['a judge that is not there', { judge: 'ada=nobody' }, /^--judge ada: expected .*, got "nobody"$/],
    [
      'a program that is not there',
      { judge: 'ada=command:./no.py' },
      '--judge ada: expected a program that can be run, got "./no.py"',
    ],
    [
      'a measure there is not',
      { judge: 'x=builtin:magic' },
      /^--judge: expected builtin:tests, .*, got "builtin:magic"$/,
    ],
    [
      'a script that is not there',
      { judge: 'x=builtin:score:no.js' },
      '--judge x: expected a scoring script, got "no.js"',
    ],
    ['a folder of tests that is not there', { judge: 'x=builtin:tests:no' }, '--judge x: expected a folder, got "no"'],
    [
      'the same judge twice',
      { judge: ['x=builtin:size', 'x=builtin:lint'] },
      /^eval: judges\.1\.name: expected each name once, .* got "x"$/,
    ],
    [
      'a spare that sits already',
      { spare: 'size=builtin:lint' },
      /^eval: spares\.0\.name: expected each name once, but judges\.0\.name is the same, got "size"$/,
    ],
    ['threshold 0', { threshold: '0' }, 'eval: threshold: expected a whole number from 1, got 0'],
    ['threshold 1.5', { threshold: '1.5' }, 'eval: threshold: expected a whole number from 1, got 1.5'],
    ['threshold of words', { threshold: 'two' }, 'eval: threshold: expected a whole number from 1, got "two"'],
    [
      'a threshold nobody can reach',
      { threshold: '2' },
      'eval: threshold: expected at most 1.5, which is all 1 judges at High, got 2',
    ],
    ['five rounds', { rounds: '5' }, /^eval: rounds: .* got 5$/],
    [
      'a mode there is not',
      { mode: 'slow' },
      /^--mode: expected one of quick, standard, thorough, adversarial, got "slow"$/,
    ],
    ['a seed of words', { seed: 'lucky' }, '--seed: expected a whole number from 0 to 4294967295, got "lucky"'],
    [
      'a seed too large',
      { seed: '4294967296' },
      '--seed: expected a whole number from 0 to 4294967295, got "4294967296"',
    ],
    ['a limit of nothing', { limit: '0s' }, /^eval: limit_seconds: .* got 0$/],
    ['a key with a slash', { key: 'a/b' }, /^--key: .* got "a\/b"$/],
  ])('%s', async (_, change, line) => {
    put({
      'one/a.md': 'alone',
      'twice.json': JSON.stringify([
        { name: 'a', text: '1' },
        { name: 'a', text: '2' },
      ]),
      'none.json': '{}',
      'both.json': JSON.stringify([{ name: 'a', text: '1', file: 'c/a.md' }]),
      'gone.json': JSON.stringify([{ name: 'a', file: 'c/z.md' }]),
    })
    const { exit, stdout, stderr } = await refused(change)
    expect([exit, stdout]).toEqual([2, ''])
    expect(
      stderr
        .trimEnd()
        .split('\n')
        .at(-1)
        ?.replace(/^gauntlet: /, ''),
    ).toMatch(line)
  })
})
