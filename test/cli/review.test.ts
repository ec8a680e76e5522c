import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { aRepository, freshFolder, git } from '../support/git-repository.js'
import { typed } from '../support/typed-cli.js'

let repo: string
let home: string
let clean: string

beforeAll(() => {
  home = freshFolder()
  repo = aRepository({ 'src/a.js': 'one()\n' })
  writeFileSync(join(repo, 'src/a.js'), 'two()\n')
  clean = aRepository({ 'a.js': 'one()\n' })
  mkdirSync(join(home, 'bare'))
  git(join(home, 'bare'), 'init', '--quiet', '--bare')
  mkdirSync(join(home, 'plain'))
  const put = (name: string, content: string | Uint8Array) => writeFileSync(join(home, name), content)
  put('empty.txt', '')
  put('bytes.patch', Buffer.from([0xff, 0xfe, 0x00]))
  put('prose.patch', 'hello\n')
  put('outside.patch', '--- a/x\n+++ ../../x\n@@ -1 +1 @@\n-a\n+b\n')
  put('cut.patch', '--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n-a\n+b\n')
  put('fine.patch', '--- a/x.js\n+++ b/x.js\n@@ -1 +1 @@\n-a\n+b\n')
  put('nonsense.json', '{"type": "nonsense"}')
  put('broken.json', '{')
  put('snippet-task.json', JSON.stringify({ review_type: 'snippet' }))
  put('outside-task.json', JSON.stringify({ task_id: '../../../etc/passwd' }))
})

/** Read faster than a repository. */
const PATCH = ['--patch', 'fine.patch']

const review = async (...args: string[]) =>
  await typed(['run', 'review', '--repo', repo, '--unsandboxed', ...args], { home, cwd: home, env: { HOME: home } })

describe('a mistake is one line that names the option, and exit 2', () => {
  it.each<[what: string, args: string[], line: RegExp]>([
    ['no repository', ['--repo', 'plain'], /^--repo: expected a folder in a git repository, got one in none$/],
    ['no such folder', ['--repo', 'gone'], /^--repo: expected a folder, got "gone"$/],
    ['a bare repository', ['--repo', 'bare'], /^--diff: expected a repository with a commit, got none$/],
    ['an unknown range', ['--diff', 'nosuch..HEAD'], /^--diff: expected a commit, got nosuch, which names none$/],
    ['half a range that is unknown', ['--diff', 'HEAD...nosuch'], /^--diff: expected a commit, got nosuch/],
    ['a range of many dots', ['--diff', 'HEAD....HEAD'], /^--diff: expected a commit, got \.HEAD, which names none$/],
    ['an empty diff', ['--diff', 'HEAD..HEAD'], /^nothing to review: the change is empty$/],
    ['an empty patch', ['--patch', 'empty.txt'], /^nothing to review: the change is empty$/],
    ['a patch that is not there', ['--patch', 'gone.patch'], /^--patch gone\.patch: not found$/],
    ['a patch of bytes', ['--patch', 'bytes.patch'], /^bytes\.patch: expected UTF-8 text, got bytes that are none$/],
    ['a patch of prose', ['--patch', 'prose.patch'], /^--patch: expected a unified diff, got a text without one$/],
    [
      'a patch of a file outside',
      ['--patch', 'outside.patch'],
      /^--patch: line 1: expected a relative path without "\.\."/,
    ],
    ['a patch that was cut', ['--patch', 'cut.patch'], /^--patch: line 1: the hunk at line 3 ends before/],
    ['no files', ['--files', 'lib/**'], /^--files: expected files, found none for "lib\/\*\*"$/],
    ['an empty snippet', ['--snippet', 'empty.txt'], /^--snippet: expected some code, got an empty text$/],
    [
      'two sources',
      ['--snippet', 'a', '--patch', 'b'],
      /^--patch: expected only one of .*, got --snippet and --patch$/,
    ],
    [
      'a way out as task id',
      [...PATCH, '--task-id', '../../etc/x'],
      /^review: task_id: expected no "\.\.", got "\.\.\/\.\.\/etc\/x"$/,
    ],
    [
      'a short task id',
      [...PATCH, '--task-id', 'short'],
      /^review: task_id: expected at least 10 characters, got "short"$/,
    ],
    [
      'a shell word as task id',
      [...PATCH, '--task-id', 'task_review;id'],
      /^review: task_id: expected letters.*\(";"\)/,
    ],
    [
      'an unknown severity',
      ['--fail-on', 'Awful'],
      /^--fail-on: expected one of Critical, High, Medium, Low, got "Awful"$/,
    ],
    ['an unknown format', ['--format', 'html'], /^--format: expected one of detailed, array, .*got "html"$/],
    ['a schema that is not there', ['--format', 'gone.json'], /^--format gone\.json: not found$/],
    ['a schema that is none', ['--format', 'nonsense.json'], /^schema of the result: schema is invalid/],
    ['a schema that is no JSON', ['--format', 'broken.json'], /^--format: expected JSON in the schema/],
    ['a bad key', [...PATCH, '--key', '../x'], /^--key: expected 1 to 120 letters/],
    [
      'too small a part',
      [...PATCH, '--part-tokens', '499'],
      /^--part-tokens: expected a whole number from 500 to 2000000, got "499"$/,
    ],
    [
      'a content folder that is a file',
      [...PATCH, '--content-dir', 'empty.txt'],
      /^--content-dir: expected a folder that can be made/,
    ],
    ['an agent that is none', [...PATCH, '--agent', 'x'], /^--agent: expected ROLE=BACKEND/],
    ['a task that is not there', ['--task', 'gone.json'], /^--task gone\.json: not found$/],
    ['a task that is no JSON', ['--task', 'broken.json'], /^--task: expected JSON, got "\{"$/],
    ['a task with a field of its own', ['--task', 'nonsense.json'], /^--task: .*[Uu]nrecognized key.*"type"/],
    [
      'a task of another type',
      [...PATCH, '--task', 'snippet-task.json'],
      /^--task: review_type: expected diff, as what is reviewed, got "snippet"$/,
    ],
    ['a task id that leads out', ['--task', 'outside-task.json'], /^--task: task_id: expected no "\.\."/],
    [
      'task and patch both from stdin',
      ['--task', '-', '--patch', '-'],
      /^--task: expected a file, since --patch is stdin, got "-"$/,
    ],
  ])('%s', async (_, args, line) => {
    const { exit, stdout, stderr } = await review(...args)
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' })
    const last = stderr.trimEnd().split('\n').at(-1) ?? ''
    expect(last.replace('gauntlet: ', '')).toMatch(line)
  })

  it.each<[what: string, task: object, line: RegExp]>([
    [
      'a relative folder',
      { working_directory: 'here' },
      /^--task: working_directory: expected an absolute path, got "here"$/,
    ],
    [
      'a folder that is not there',
      { repo_path: '/no/such' },
      /^--task: working_directory: expected a folder, got "\/no\/such"$/,
    ],
  ])('a task names %s', async (_, task, line) => {
    writeFileSync(join(home, 'folder-task.json'), JSON.stringify(task))
    const { exit, stderr } = await typed(['run', 'review', '--task', 'folder-task.json', '--unsandboxed'], {
      home,
      cwd: home,
    })
    expect(exit).toBe(2)
    expect(stderr.trimEnd().replace('gauntlet: ', '')).toMatch(line)
  })

  it.each<[what: string, change: () => void, line: string]>([
    ['binary files', () => writeFileSync(join(clean, 'a.png'), Buffer.alloc(9_000)), 'a.png (binary)'],
    ['submodules', () => addSubmodule(), 'sub (a submodule)'],
  ])('a change of %s alone', async (_, change, line) => {
    git(clean, 'reset', '--hard', '--quiet')
    git(clean, 'clean', '-fdq')
    change()
    const { exit, stderr } = await review('--repo', clean)
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: `gauntlet: nothing to review: ${line}\n` })
  })

  /** A commit of another repository in the place of a folder, as a submodule is kept. */
  function addSubmodule(): void {
    execFileSync('git', ['clone', '--quiet', repo, join(clean, 'sub')], { stdio: 'pipe' })
  }
})

it('--help shows how', async () => {
  const { exit, stdout } = await typed(['run', 'review', '--help'], { home })
  expect(exit).toBe(0)
  for (const flag of ['--diff', '--files', '--snippet', '--patch', '--task', '--format', '--fail-on', '--content-dir'])
    expect(stdout).toContain(flag)
  const started = await typed(['start', 'review', '--help'], { home })
  expect(started.stdout).not.toContain('--fail-on')
})
