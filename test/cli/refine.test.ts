import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { aRepository, freshFolder, git } from '../support/git-repository.js'
import { typed } from '../support/typed-cli.js'

let repo: string
let home: string

beforeAll(() => {
  home = freshFolder()
  repo = aRepository({
    'a.py': 'a\n',
    'openspec/changes/add/tasks.md': '- [x] 1.1 A\n- [ ] 1.2 B\n',
    'openspec/changes/done/tasks.md': '- [x] 1.1 A\n',
    'openspec/changes/broken/tasks.md': '- [ ] 1.1 A\n```\n',
    'openspec/changes/plain/tasks.md': '1. A\n',
  })
  writeFileSync(join(home, 'script.json'), JSON.stringify({ answers: [] }))
  mkdirSync(join(home, 'bare'))
  git(join(home, 'bare'), 'init', '--quiet', '--bare')
})

const refine = async (...args: string[]) =>
  await typed(['run', 'refine', '--repo', repo, '--unsandboxed', ...args], { home, cwd: home })
const WRITER = ['--agent', '*=script:script.json']

describe('a mistake is one line that names the option, and exit 2', () => {
  it.each<[what: string, args: string[], line: RegExp]>([
    ['nobody who writes', ['--requirement', 'x'], /^--agent: expected who writes the code, as in '.*', got nobody$/],
    ['builtin as the writer', ['--requirement', 'x', '--agent', '*=builtin'], /^--agent: expected who writes the code/],
    ['no requirement', WRITER, /^--requirement: expected what is to be written, as text or @FILE, got nothing$/],
    ['an empty requirement', ['--requirement', ' ', ...WRITER], /^--requirement: .*got an empty text$/],
    ['a file that is not there', ['--requirement', '@gone.md', ...WRITER], /^--requirement @gone\.md: not found$/],
    [
      'an unknown change',
      ['--openspec', 'gone', ...WRITER],
      /^--openspec: expected Markdown files in openspec\/changes\/gone, found none$/,
    ],
    ['a change outside', ['--openspec', '../x', ...WRITER], /^--openspec: .*got "\.\.\/x"$/],
    [
      'a change whose tasks are done',
      ['--openspec', 'done', ...WRITER],
      /^--requirement: expected a text: the OpenSpec change done has no open task, got nothing$/,
    ],
    [
      'tasks in a foreign form',
      ['--openspec', 'plain', ...WRITER],
      /^openspec\/changes\/plain\/tasks\.md: expected tasks such as "- \[ \] 1\.1 Add login", found none$/,
    ],
    [
      'a file that cannot be written into',
      ['--openspec', 'broken', ...WRITER],
      /^openspec\/changes\/broken\/tasks\.md: expected every code block to be closed/,
    ],
    [
      'an unknown task',
      ['--openspec', 'add', '--task', '7', ...WRITER],
      /^--task: expected number or text of one task in .*, got "7"$/,
    ],
    [
      'a task without a change',
      ['--task', '1', '--requirement', 'x', ...WRITER],
      /^--task: expected --openspec with it, got it alone$/,
    ],
    ['no stack', ['--requirement', 'x', '--tech-stack', ',', ...WRITER], /^--tech-stack: expected 'LANGUAGE/],
    [
      'no rounds',
      ['--requirement', 'x', '--max-rounds', '0', ...WRITER],
      /^--max-rounds: expected a whole number from 1 to 1000, got "0"$/,
    ],
    [
      'weights that do not add up',
      ['--requirement', 'x', '--weights', 'security=1,quality=1,performance=1', ...WRITER],
      /^--weights: .*not 3/,
    ],
    [
      'an unknown threshold',
      ['--requirement', 'x', '--thresholds', 'docs=1', ...WRITER],
      /^--thresholds: .*unknown field "docs"/,
    ],
    [
      'an unknown preset',
      ['--requirement', 'x', '--preset', 'lax', ...WRITER],
      /^--preset: expected one of standard, strict, mvp, got "lax"$/,
    ],
    [
      'an unknown base',
      ['--requirement', 'x', '--base', 'gone', ...WRITER],
      /^base: expected a commit, got gone, which names none$/,
    ],
    [
      'an unknown commit to judge against',
      ['--requirement', 'x', '--against', 'gone', ...WRITER],
      /^--against: expected a commit in the history of --base, got "gone"$/,
    ],
    ['a bad key', ['--requirement', 'x', '--key', '../x', ...WRITER], /^--key: .*got "\.\.\/x"$/],
  ])('%s', async (_, args, line) => {
    const { exit, stdout, stderr } = await refine(...args)
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' })
    const last = stderr.trimEnd().split('\n').at(-1) ?? ''
    expect(last.replace('gauntlet: ', '')).toMatch(line)
  })

  it('a bare repository has no OpenSpec files', async () => {
    const { exit, stderr } = await typed(
      ['run', 'refine', '--repo', join(home, 'bare'), '--openspec', 'add', '--unsandboxed', ...WRITER],
      { home, cwd: home },
    )
    expect({ exit, stderr }).toMatchObject({ exit: 2, stderr: expect.stringContaining('--repo: expected a checkout') })
  })
})

it('--help shows how', async () => {
  const { exit, stdout } = await typed(['run', 'refine', '--help'], { home })
  expect(exit).toBe(0)
  for (const flag of [
    '--requirement',
    '--repo',
    '--base',
    '--against',
    '--openspec',
    '--preset',
    '--max-rounds',
    '--agent',
    '--max-cost',
  ])
    expect(stdout).toContain(flag)
  expect(stdout.match(/--max-rounds/g)).toHaveLength(1)
})
