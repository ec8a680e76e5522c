import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { allCommands } from '../../src/cli/commands/all-commands.js'
import { completed } from '../../src/cli/commands/completion.js'
import { renderCompletion } from '../../src/rules/cli-completion.js'

const commands = (await allCommands()).map((command) => completed(command))

describe('the bash script', () => {
  const script = renderCompletion('bash', commands)

  it.each([
    [['gauntlet', 'st'], 1, ['start', 'status']],
    [['gauntlet', 'run', ''], 2, ['circt', 'phase', 'eval', 'refine', 'review']],
    [['gauntlet', 'run', 'circt', '--sch'], 3, ['--schedule']],
    [['gauntlet', 'run', 'circt', 'x', '--schedule', ''], 5, ['eager', 'phased', 'serial']],
    [['gauntlet', 'gates', '--format', ''], 3, ['table', 'json', 'junit']],
    [['gauntlet', 'vote', '--format', ''], 3, ['json', 'table']],
    [['gauntlet', 'run', 'review', '--format', 'tab'], 4, ['']],
    [['gauntlet', 'answer', 'x', '--'], 3, ['--option', '--text', '--into', '--from', '--json', '--help']],
  ])('completes %j', (words, at, expected) => {
    const test = `${script}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${at}; _gauntlet; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout, stderr } = spawnSync('bash', ['-c', test], { encoding: 'utf8', cwd: '/' })
    expect(stderr).toBe('')
    expect(stdout.trim().split('\n')).toEqual(expected)
  })
})

const hasZsh = spawnSync('zsh', ['--version']).status === 0
const hasFish = spawnSync('fish', ['--version']).status === 0

describe('the scripts of the other shells', () => {
  it.each(['zsh', 'fish'] as const)('know every command and option (%s)', (shell) => {
    const script = renderCompletion(shell, commands)
    for (const { path, options } of commands) {
      expect(script).toContain(path.at(-1))
      for (const { flag } of options) expect(script).toContain(shell === 'fish' ? `-l ${flag.slice(2)}` : flag)
    }
  })

  it.skipIf(!hasZsh)('are read by zsh (left out where there is none)', () => {
    expect(spawnSync('zsh', ['-n'], { input: renderCompletion('zsh', commands), encoding: 'utf8' })).toMatchObject({
      status: 0,
    })
  })

  it.skipIf(!hasFish)('are read by fish (left out where there is none)', () => {
    expect(spawnSync('fish', ['-n'], { input: renderCompletion('fish', commands), encoding: 'utf8' })).toMatchObject({
      status: 0,
    })
  })
})
