import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { aRepository, freshFolder } from '../support/git-repository.js'
import { typed } from '../support/typed-cli.js'

let repo: string
let home: string

beforeAll(() => {
  home = freshFolder()
  repo = aRepository({ 'a.txt': 'a\n' })
  mkdirSync(join(home, 'bare'))
  writeFileSync(join(home, 'script.json'), '{"answers":[]}')
  writeFileSync(join(home, 'cycle.json'), JSON.stringify([task(1, ['TASK-002']), task(2, ['TASK-001'])]))
  writeFileSync(join(home, 'empty.md'), '\n')
})

function task(number: number, dependencies: string[]) {
  const id = `TASK-00${number}`
  return {
    id,
    title: id,
    description: id,
    dependencies,
    priority: 5,
    estimatedComplexity: 'low',
    agentType: 'coder',
    artifacts: [],
  }
}

const AGENT = ['--agent', '*=script:script.json']

describe('a mistake is one line that names the option, and exit 2', () => {
  it.each<[what: string, args: string[], line: RegExp]>([
    ['no instruction', ['', ...AGENT], /^INSTRUCTION: expected a sentence .*, got nothing$/],
    ['an empty file', ['@empty.md', ...AGENT], /^INSTRUCTION: expected a sentence/],
    ['no agent', ['x'], /^--agent: expected an agent, such as .*, got none$/],
    ['an agent that is not there', ['x', '--agent', '*=command:./no-such'], /^--agent: expected a program/],
    ['a role that is not there', ['x', '--agent', 'boss=builtin'], /^--agent: expected .*, got/],
    ['no repository', ['x', ...AGENT, '--repo', 'bare'], /expected a folder in a git repository/],
    ['a folder that is not there', ['x', ...AGENT, '--repo', 'none'], /got a path that is not there/],
    ['a password', ['x', ...AGENT, '--repo', 'https://me:secret@example.org/r'], /^--repo: expected .*no password/],
    ['an unknown base', ['x', ...AGENT, '--base', 'nope'], /^base: .*nope/],
    ['too much at once', ['x', ...AGENT, '--parallel', '17'], /^--parallel: expected a whole number from 1 to 16/],
    ['an unknown point', ['x', ...AGENT, '--approve', 'plan,deploy'], /^--approve: expected some of plan, merge/],
    ['both kinds of approval', ['x', ...AGENT, '--approve', 'plan', '--yes'], /^--yes: expected no --approve/],
    ['a plan with a cycle', ['x', ...AGENT, '--plan', 'cycle.json'], /^--plan: .*cycle.*TASK-001 → TASK-002/],
    ['a budget of nothing', ['x', ...AGENT, '--max-cost', '0'], /^--max-cost: expected an amount above 0/],
  ])('%s', async (_, args, line) => {
    const where = args.includes('--repo') ? [] : ['--repo', repo]
    const { exit, stdout, stderr } = await typed(['run', 'phase', '--unsandboxed', ...where, ...args], {
      home,
      cwd: home,
    })
    const complaint = stderr.trim().split('\n').at(-1)?.replace('gauntlet: ', '') ?? ''
    expect(complaint).toMatch(line)
    expect(stderr).not.toContain('secret')
    expect([exit, stdout]).toEqual([2, ''])
  })

  it('leaves the repository as it was', () => {
    expect(readdirSync(repo).sort()).toEqual(['.git', 'a.txt'])
  })
})
