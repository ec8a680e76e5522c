import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AnalysisFile } from '../../../src/contracts/circt-files.js'
import type { CrashSignature } from '../../../src/contracts/crash-signature.js'
import { issueTitle, type TitleFacts } from '../../../src/rules/circt/title.js'
import { anAnalysis } from '../../support/circt-analysis.js'

const bare: CrashSignature = { kind: 'crash', signal: 'SIGSEGV', failing_pass: null, message: null, frames: [] }
const told = { said: null, trigger: null }

describe('the title', () => {
  it.each<[Partial<CrashSignature>, Partial<AnalysisFile> | null, Partial<TitleFacts>, string]>([
    [
      { failing_pass: 'CanonicalizerPass' },
      { dialect: 'comb' },
      { trigger: 'comb.concat, comb.extract' },
      '[Comb] Segmentation fault in Canonicalizer with comb.concat, comb.extract',
    ],
    [
      { signal: 'SIGABRT' },
      { dialect: 'firrtl', frames: ['circt::firrtl::lowerIt(int)'] },
      {},
      '[FIRRTL] Crash in lowerIt',
    ],
    [{ kind: 'assertion' }, { assertion_message: 'size > 1' }, {}, '[circt-opt] Assertion failure: size > 1'],
    [
      { failing_pass: 'CSEPass' },
      { assertion_message: 'size > 1' },
      { trigger: 'comb.add' },
      '[circt-opt] Assertion failure in CSE: size > 1',
    ],
    [
      { kind: 'verifier_error', message: "'moore.ult' op x N" },
      { dialect: 'Moore' },
      { said: "'moore.ult' op x 3" },
      "[Moore] Verifier error: 'moore.ult' op x 3",
    ],
    [
      {
        kind: 'verifier_error',
        message: "failed to legalize operation 'moore.net'",
        failing_pass: 'ConvertMooreToCore',
      },
      { dialect: 'moore' },
      { said: "failed to legalize operation 'moore.net'" },
      "[Moore] Failed to legalize operation 'moore.net' in ConvertMooreToCore",
    ],
    [{ kind: 'hang', failing_pass: 'CSEPass' }, { dialect: 'newdialect' }, {}, '[newdialect] Hang in CSE'],
    [
      { kind: 'memory' },
      null,
      { trigger: 'comb.xor in a loop' },
      '[circt-opt] Unbounded memory use with comb.xor in a loop',
    ],
    [{ kind: 'interesting' }, null, {}, '[circt-opt] Wrong result'],
    [{ kind: 'interesting' }, null, { said: 'too deep' }, '[circt-opt] Unexpected error: too deep'],
  ])('of %j, %j, %j', (signature, analysis, more, title) => {
    const facts = { signature: { ...bare, ...signature }, tool: 'circt-opt', isFeatureRequest: false, ...told, ...more }
    expect(issueTitle({ ...facts, analysis: analysis === null ? null : anAnalysis(analysis) })).toBe(title)
  })

  it('asks when it is a feature request', () => {
    const facts = { analysis: null, tool: 'circt-verilog', isFeatureRequest: true }
    const signature = { ...bare, kind: 'diagnostic' as const, message: 'unsupported: clocking' }
    expect(issueTitle({ ...facts, ...told, signature })).toBe('[circt-verilog] Support for input that is rejected')
    const said = 'unsupported statement: Clocking'
    expect(issueTitle({ ...facts, ...told, said, signature })).toBe('[circt-verilog] Unsupported statement: Clocking')
  })

  it('is one line of at most 120 characters, whatever the tool says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (message) => {
        const signature = { ...bare, kind: 'fatal_error' as const, message }
        const facts = { analysis: null, tool: 'firtool', isFeatureRequest: false, signature }
        const title = issueTitle({ ...facts, said: message, trigger: message })
        expect(Array.from(title).length).toBeLessThanOrEqual(120)
        expect(title).toMatch(/^\[firtool\] Fatal error[^\n\r]*$/)
      }),
    )
  })
})
