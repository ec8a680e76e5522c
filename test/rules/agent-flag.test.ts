import { describe, expect, it } from 'vitest'
import { readAgentFlag } from '../../src/rules/agent-flag.js'

describe('--agent', () => {
  it.each([
    ['coder=builtin', { role: 'coder', kind: 'builtin' }],
    ['*=command:./agent.py --fast', { role: '*', kind: 'command', line: './agent.py --fast' }],
    ['*=command:env a=b', { role: '*', kind: 'command', line: 'env a=b' }],
    ['reviewer=acp:goose acp', { role: 'reviewer', kind: 'acp', line: 'goose acp' }],
    [
      'planner=model:anthropic/claude-sonnet-4-5',
      { role: 'planner', kind: 'model', model: 'anthropic/claude-sonnet-4-5' },
    ],
    ['planner=model:openai/org/model:free', { role: 'planner', kind: 'model', model: 'openai/org/model:free' }],
    ['tester=script:a:b.json', { role: 'tester', kind: 'script', file: 'a:b.json' }],
    ['tester=house', { role: 'tester', kind: 'named', name: 'house' }],
  ])('%s is understood', (text, flag) => {
    expect(readAgentFlag(text)).toEqual(flag)
  })

  it.each([
    ['coder', 'ROLE=BACKEND', '"coder"'],
    ['coder=', 'ROLE=BACKEND', '"coder="'],
    ['', 'ROLE=BACKEND', 'nothing'],
    ['cook=builtin', 'a role (', '"cook"'],
    ['=builtin', 'a role', 'nothing'],
    ['coder=builtin:x', 'builtin alone', '"builtin:x"'],
    ['coder=comand:./x', 'builtin, model:PROVIDER/NAME', '"comand:./x"'],
    ['coder=constructor:x', 'builtin, model:PROVIDER/NAME', '"constructor:x"'],
    ['coder=My Agent', 'builtin, model:PROVIDER/NAME', '"My Agent"'],
    ['coder=command: ', 'a program behind command:', 'nothing'],
    ['coder=acp:', 'a program behind acp:', 'nothing'],
    ['coder=script:', 'a file behind script:', 'nothing'],
    ['coder=model:mistral/x', 'model:anthropic/NAME or model:openai/NAME', '"model:mistral/x"'],
    ['coder=model:openai/', 'model:anthropic/NAME or model:openai/NAME', '"model:openai/"'],
  ])('%s is a mistake that says what was expected', (text, expected, came) => {
    expect(readAgentFlag(text)).toEqual({ expected: expect.stringContaining(expected) as unknown, came })
  })
})
