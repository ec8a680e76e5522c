import { describe, expect, it } from 'vitest'
import type { CrashKind, CrashSignature } from '../../../src/contracts/crash-signature.js'
import { classify, isUnsupportedMessage, type ValidationFacts } from '../../../src/rules/circt/classification.js'

type Parts = Partial<Omit<ValidationFacts, 'signature'>> & { kind: CrashKind; pass?: string; message?: string }

function facts({ kind, pass, message, ...parts }: Parts): ValidationFacts {
  const signature: CrashSignature = {
    kind,
    signal: null,
    failing_pass: pass ?? null,
    message: message ?? null,
    frames: [],
  }
  const error = message === undefined ? null : { message, isLocated: true }
  return {
    language: 'sv',
    isEmpty: false,
    signature,
    error,
    syntax: 'accepts',
    semantics: 'accepts',
    others: {},
    ...parts,
  }
}

const DIAGNOSED = { kind: 'diagnostic', message: "use of undeclared identifier 'y'" } as const

describe('classify', () => {
  it.each<[string, string, Parts]>([
    ['invalid_testcase', 'an empty source', { kind: 'diagnostic', isEmpty: true }],
    ['report', 'an empty source that crashes the tool', { kind: 'crash', isEmpty: true }],
    [
      'invalid_testcase',
      'a command that does not fit',
      { kind: 'diagnostic', message: "Unknown command line argument '--x'." },
    ],
    ['report', 'a crash', { kind: 'crash' }],
    ['report', 'a crash although the parser dies of it too', { kind: 'crash', syntax: 'fails', semantics: 'fails' }],
    ['report', 'a hang', { kind: 'hang' }],
    ['report', 'a memory blow-up', { kind: 'memory' }],
    ['report', 'an assertion', { kind: 'assertion', message: 'x' }],
    ['report', 'a silent failure', { kind: 'fatal_error' }],
    [
      'not_a_bug',
      'a crash on a source that every other tool rejects',
      { kind: 'crash', semantics: 'rejects', others: { verilator: 'rejects', slang: 'unavailable' } },
    ],
    [
      'report',
      'a crash on a source that one other tool accepts',
      { kind: 'crash', semantics: 'rejects', others: { verilator: 'rejects', slang: 'accepts' } },
    ],
    [
      'not_a_bug',
      "what slang's analysis says, though its check alone accepts the source",
      { kind: 'diagnostic', message: "cannot mix assignments to variable 'q' [-Wmixed-var-assigns]" },
    ],
    [
      'report',
      'the same words on what is no SystemVerilog',
      { kind: 'diagnostic', language: 'mlir', message: 'odd [-Wodd]' },
    ],
    [
      'report',
      'words that only name an option',
      { kind: 'diagnostic', message: 'the option [-Wodd] is not known to x' },
    ],
    ['report', 'an op verifier, though located', { kind: 'verifier_error', message: "'moore.ult' op requires" }],
    ['report', 'a legalisation', { kind: 'verifier_error', message: "failed to legalize operation 'a.b'" }],
    [
      'invalid_testcase',
      'hand-written IR that does not verify',
      { kind: 'verifier_error', language: 'mlir', semantics: 'rejects', message: "'hw.x' op" },
    ],
    [
      'report',
      'IR that a pass made invalid',
      { kind: 'verifier_error', language: 'mlir', semantics: 'accepts', pass: 'P', message: "'hw.x' op" },
    ],
    ['report', 'a clean end', { kind: 'none' }],
    [
      'feature_request',
      'what elaborates but is unsupported',
      { kind: 'diagnostic', message: 'unsupported expression: x' },
    ],
    [
      'not_a_bug',
      'unsupported, and elaboration rejects it too',
      { kind: 'diagnostic', message: 'unsupported keyword', semantics: 'rejects' },
    ],
    [
      'existing_issue',
      'a limitation that the tool names itself',
      { kind: 'diagnostic', message: 'x is not yet supported', semantics: 'unavailable' },
    ],
    ['invalid_testcase', 'a parse error', { ...DIAGNOSED, syntax: 'rejects', semantics: 'rejects' }],
    ['not_a_bug', 'what elaboration explains', { ...DIAGNOSED, semantics: 'rejects' }],
    [
      'report',
      'what elaboration explains but verilator accepts',
      { ...DIAGNOSED, semantics: 'rejects', others: { verilator: 'accepts' } },
    ],
    ['report', 'what elaborates and yet is rejected', { ...DIAGNOSED }],
    [
      'not_a_bug',
      'a check of FIRRTL',
      { kind: 'diagnostic', language: 'fir', pass: 'CheckCombLoops', message: 'detected combinational cycle' },
    ],
    [
      'report',
      'FIRRTL rejected without a place',
      { kind: 'diagnostic', language: 'fir', error: { message: 'x', isLocated: false } },
    ],
    [
      'not_a_bug',
      'a check pass on IR',
      { kind: 'diagnostic', language: 'mlir', pass: 'CheckCombLoops', message: 'cycle' },
    ],
    ['report', 'any other pass on IR', { kind: 'diagnostic', language: 'mlir', pass: 'LowerX', message: 'odd' }],
  ])('%s for %s', (result, _, parts) => {
    expect(classify(facts(parts)).result).toBe(result)
  })

  it('says which rule decided, and why', () => {
    const verdict = classify(facts({ ...DIAGNOSED, semantics: 'rejects' }))
    expect(verdict).toMatchObject({ rule: 'rejected by the front end', reason: expect.stringContaining("'y'") })
  })
})

it.each([
  ['unsupported statement: x', true],
  ['conversion not yet implemented', true],
  ['string index assignment not supported', true],
  ['this is supported', false],
  ['expected an expression', false],
])('unsupported: %s is %s', (message, expected) => {
  expect(isUnsupportedMessage(message)).toBe(expected)
})
