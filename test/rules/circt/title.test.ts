import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CrashSignature } from '../../../src/contracts/crash-signature.js'
import { issueTitle } from '../../../src/rules/circt/title.js'
import { anAnalysis } from '../../support/circt-analysis.js'

const bare: CrashSignature = { kind: 'crash', signal: 'SIGSEGV', failing_pass: null, message: null, frames: [] }
const constructs = {
  language: 'mlir',
  key_constructs: ['comb.concat', 'comb.extract', 'hw.module'],
  problematic_patterns: [],
}

describe('the title', () => {
  it.each([
    [
      { failing_pass: 'CanonicalizerPass' },
      { dialect: 'comb', test_case: constructs },
      '[Comb] Segmentation fault in Canonicalizer with comb.concat, comb.extract',
    ],
    [
      { signal: 'SIGABRT' },
      { dialect: 'firrtl', frames: ['circt::firrtl::lowerIt(int)'] },
      '[FIRRTL] Crash in lowerIt',
    ],
    [{ kind: 'assertion' as const }, { assertion_message: 'size > 1' }, '[circt-opt] Assertion failure: size > 1'],
    [
      { kind: 'verifier_error' as const, message: "'moore.ult' op x" },
      { dialect: 'Moore' },
      "[Moore] Verifier error: 'moore.ult' op x",
    ],
    [{ kind: 'hang' as const, failing_pass: 'CSEPass' }, { dialect: 'newdialect' }, '[newdialect] Hang in CSE'],
    [{ kind: 'memory' as const }, null, '[circt-opt] Unbounded memory use'],
    [{ kind: 'interesting' as const }, null, '[circt-opt] Wrong result'],
  ])('of %j', (signature, analysis, title) => {
    const facts = { signature: { ...bare, ...signature }, tool: 'circt-opt', isFeatureRequest: false }
    expect(issueTitle({ ...facts, analysis: analysis === null ? null : anAnalysis(analysis) })).toBe(title)
  })

  it('asks when it is a feature request', () => {
    const facts = { analysis: null, tool: 'circt-verilog', isFeatureRequest: true }
    const signature = { ...bare, kind: 'diagnostic' as const, message: 'unsupported: clocking' }
    expect(issueTitle({ ...facts, signature })).toBe(
      '[circt-verilog] Support for input that is rejected: unsupported: clocking',
    )
  })

  it('is one line of at most 120 characters, whatever the tool says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (message) => {
        const signature = { ...bare, kind: 'fatal_error' as const, message }
        const title = issueTitle({ analysis: null, tool: 'firtool', isFeatureRequest: false, signature })
        expect(Array.from(title).length).toBeLessThanOrEqual(120)
        expect(title).toMatch(/^\[firtool\] Fatal error[^\n\r]*$/)
      }),
    )
  })
})
