import { describe, expect, it } from 'vitest'
import { corroborations, recommend, scoreIssue } from '../../../src/rules/circt/duplicate-score.js'
import { anAnalysis, anIssue } from '../../support/circt-analysis.js'

const assertion = 'addends.size() > 2 && "too few addends to compress"'
const nothing = { keywords: [], assertion_message: null, failing_pass: null, dialect: null }

describe('the score of an issue', () => {
  it.each([
    ['a keyword in the title', { title: 'Hang on fsm.machine' }, { keywords: ['machine'] }, 2],
    ['a keyword in the body', { body: 'an fsm.machine' }, { keywords: ['machine'] }, 1],
    ['a keyword in both', { title: 'machine', body: 'machine machine' }, { keywords: ['machine'] }, 3],
    ['the assertion', { body: `Assertion \`${assertion}' failed` }, { assertion_message: assertion }, 3],
    [
      'the assertion by its first 30 characters',
      { body: `${assertion.slice(0, 30)} other` },
      { assertion_message: assertion },
      3,
    ],
    ['29 characters of the assertion', { body: `${assertion.slice(0, 29)}X` }, { assertion_message: assertion }, 0],
    ['an assertion too short to tell', { body: 'it != end' }, { assertion_message: 'false' }, 0],
    ['the failing pass', { body: 'in LowerLayers' }, { failing_pass: 'LowerLayersPass' }, 2],
    ['the failing pass as a flag', { body: 'circt-opt --canonicalize' }, { failing_pass: 'CanonicalizerPass' }, 2],
    ['the failing pass as a noun', { body: 'during canonicalization' }, { failing_pass: 'CanonicalizerPass' }, 2],
    [
      'the failing pass without its dialect',
      { title: '[LowerToHW] x' },
      { failing_pass: 'LowerFIRRTLToHW', dialect: 'firrtl' },
      2,
    ],
    ['another pass', { body: 'LowerTypes' }, { failing_pass: 'LowerLayersPass' }, 0],
    ['the label as an object', { labels: [{ name: 'FIRRTL' }] }, { dialect: 'firrtl' }, 1.5],
    ['the label as a string', { labels: ['Comb'] }, { dialect: 'comb' }, 1.5],
    ['another label', { labels: ['Combinatorics'] }, { dialect: 'comb' }, 0],
    ['a substring', { title: 'Support ImportVerilog' }, { keywords: ['port'] }, 0],
    ['a pass name across title and body', { title: 'Lower', body: 'Layers' }, { failing_pass: 'LowerLayers' }, 0],
  ])('counts %s', (_, issue, terms, score) => {
    expect(scoreIssue(anIssue(1, issue), { ...nothing, ...terms }).score).toBe(score)
  })

  it('adds everything up and says what earned it', () => {
    const issue = anIssue(1, { title: 'machine', body: `machine in LowerLayers: ${assertion}`, labels: ['FSM'] })
    const terms = { keywords: ['machine'], assertion_message: assertion, failing_pass: 'LowerLayers', dialect: 'fsm' }
    const { score, reasons } = scoreIssue(issue, terms)
    expect(score).toBe(9.5)
    expect(reasons).toEqual([
      '+2 "machine" in the title',
      '+1 "machine" in the body',
      '+3 the same assertion',
      '+2 the pass LowerLayers',
      '+1.5 the label fsm',
    ])
  })

  it('reads an issue without a body', () => {
    expect(scoreIssue(anIssue(1, { body: null }), { ...nothing, keywords: ['machine'] }).score).toBe(0)
  })
})

describe('the recommendation', () => {
  it.each([
    [0, 'new_issue'],
    [3.5, 'new_issue'],
    [3.9, 'new_issue'],
    [4, 'likely_new'],
    [7.5, 'likely_new'],
    [7.9, 'likely_new'],
    [8, 'review_existing'],
    [10, 'review_existing'],
  ])('of %d is %s', (score, action) => {
    expect(recommend(score)).toBe(action)
  })
})

describe('what agrees besides words', () => {
  const signature = { kind: 'crash', signal: 'SIGSEGV', failing_pass: null, message: null, frames: [] } as const

  it.each([
    ['the failing pass', { body: 'in LowerLayers' }, { failing_pass: 'LowerLayersPass' }, ['failing pass']],
    [
      'an own function',
      { body: 'in BuildControl::buildCFGControl' },
      { frames: ['circt::x::buildCFGControl(int)'] },
      ['own function'],
    ],
    ['the assertion', { body: assertion }, { assertion_message: assertion }, ['assertion']],
    [
      'the diagnostic',
      { title: "'moore.ult' op requires all operands to have the same type" },
      {
        signature: { ...signature, frames: [], message: "'moore.ult' op requires all operands to have the same type" },
      },
      ['diagnostic'],
    ],
    [
      'the beginning of a diagnostic that many share',
      { title: "failed to legalize operation 'moore.variable'" },
      { signature: { ...signature, frames: [], message: "failed to legalize operation 'llhd.process'" } },
      [],
    ],
    [
      'a pass of all dialects alone',
      { body: '--canonicalize' },
      { failing_pass: 'CanonicalizerPass', dialect: 'comb' },
      [],
    ],
    [
      'a pass of all dialects with the dialect',
      { title: '[Comb] x', body: '--canonicalize' },
      { failing_pass: 'CanonicalizerPass', dialect: 'comb' },
      ['failing pass'],
    ],
    [
      'a pass of all dialects with the dialect, where the stack names another function',
      { title: '[Comb] x', body: '--canonicalize' },
      {
        failing_pass: 'CanonicalizerPass',
        dialect: 'comb',
        signature: { ...signature, frames: ['foldAddOfParameter'] },
      },
      [],
    ],
    ['nothing', { title: 'x' }, {}, []],
  ])('%s', (_, issue, analysis, expected) => {
    expect(corroborations(anIssue(1, issue), anAnalysis(analysis))).toEqual(expected)
  })
})
