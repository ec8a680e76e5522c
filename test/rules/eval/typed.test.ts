import { describe, expect, it } from 'vitest'
import { readCriteria } from '../../../src/rules/eval/criteria.js'
import { readJudgeFlag } from '../../../src/rules/eval/judge-flag.js'

describe('--judge', () => {
  it.each([
    ['tests=builtin:tests', { kind: 'measure', name: 'tests', measure: 'tests', path: null }],
    ['t=builtin:tests:./checks', { kind: 'measure', name: 't', measure: 'tests', path: './checks' }],
    ['mine=builtin:score:C:/x.js', { kind: 'measure', name: 'mine', measure: 'score', path: 'C:/x.js' }],
    ['ada=model:anthropic/x', { kind: 'agent', name: 'ada', backend: 'model:anthropic/x' }],
    ['ben=command:./a.py --fast=1', { kind: 'agent', name: 'ben', backend: 'command:./a.py --fast=1' }],
  ])('%s', (text, flag) => {
    expect(readJudgeFlag(text)).toEqual(flag)
  })

  it.each([
    ['tests', 'NAME=BACKEND'],
    ['=builtin:size', 'NAME=BACKEND'],
    ['a b=builtin:size', 'NAME=BACKEND'],
    ['ada=', 'NAME=BACKEND'],
    ['x=builtin', 'builtin:tests, builtin:lint'],
    ['x=builtin:magic', 'builtin:tests, builtin:lint'],
    ['x=builtin:score', 'builtin:score:SCRIPT'],
  ])('%s is refused', (text, expected) => {
    expect(readJudgeFlag(text)).toMatchObject({ expected: expect.stringContaining(expected) as string })
  })
})

describe('criteria', () => {
  it('are lines, whatever list they are', () => {
    const text = '# What counts\n\n- correct: gives the right value\n2. fast\n* 易读：看得懂\n\n'
    expect(readCriteria(text)).toEqual([
      { name: 'correct', description: 'gives the right value' },
      { name: 'fast', description: '' },
      { name: '易读', description: '看得懂' },
    ])
  })

  it('of nothing are none', () => {
    expect(readCriteria('\n# a heading\n')).toEqual([])
  })
})
