import { describe, expect, it } from 'vitest'
import type { CrashSignature } from '../../../src/contracts/crash-signature.js'
import { judgeReproduction } from '../../../src/rules/circt/match-reproduction.js'
import { compareSignatures } from '../../../src/rules/circt/match-signatures.js'

function aSignature(parts: Partial<CrashSignature> = {}): CrashSignature {
  return { kind: 'crash', signal: 'SIGSEGV', failing_pass: null, message: null, frames: [], ...parts }
}

describe('compareSignatures', () => {
  it.each<[string, 'same' | 'similar' | 'different', Partial<CrashSignature>, Partial<CrashSignature>]>([
    [
      'a crash of which nothing else is known',
      'same',
      { signal: null },
      { failing_pass: 'SCFToCalyx', frames: ['circt::a'] },
    ],
    ['one pass under two spellings', 'same', { failing_pass: 'CanonicalizerPass' }, { failing_pass: 'Canonicalizer' }],
    ['another pass', 'different', { failing_pass: 'SFCCompat' }, { failing_pass: 'LowerCHIRRTLPass' }],
    [
      'the same innermost own frame',
      'same',
      { frames: ['circt::a', 'circt::b'] },
      { frames: ['circt::a', 'circt::c'] },
    ],
    ['an own frame in common', 'similar', { frames: ['circt::a', 'circt::b'] }, { frames: ['circt::b'] }],
    ['no own frame in common', 'different', { frames: ['circt::a'] }, { frames: ['circt::b'] }],
    [
      'no own frame in common, though the pass agrees',
      'different',
      { failing_pass: 'P', frames: ['circt::a'] },
      { failing_pass: 'P', frames: ['circt::b'] },
    ],
    [
      'other MLIR internals in the same pass (10877 and 8863, a use after free)',
      'similar',
      {
        failing_pass: 'CanonicalizerPass',
        frames: ['extractConcatToConcatExtract', 'circt::comb::ExtractOp::canonicalize'],
      },
      { failing_pass: 'CanonicalizerPass', frames: ['mlir::Value::getDefiningOp', 'mlir::Operation::fold'] },
    ],
    ['other MLIR internals without a pass', 'different', { frames: ['mlir::a'] }, { frames: ['mlir::b'] }],
    ['an assertion that a build without assertions runs past', 'similar', { kind: 'assertion', message: 'a' }, {}],
    ['a crash and a diagnostic', 'different', {}, { kind: 'diagnostic', message: 'x', signal: null }],
    ['a hang and a memory blow-up', 'similar', { kind: 'hang', signal: null }, { kind: 'memory', signal: null }],
    [
      'verifier errors of two operations',
      'different',
      { kind: 'verifier_error', message: "'a.b' op x" },
      { kind: 'verifier_error', message: "'a.c' op x" },
    ],
    [
      'assertions that begin alike',
      'similar',
      { kind: 'assertion', message: `${'x'.repeat(50)}1` },
      { kind: 'assertion', message: `${'x'.repeat(50)}2` },
    ],
    [
      'assertions that differ in the 50th character',
      'different',
      { kind: 'assertion', message: `${'x'.repeat(49)}1` },
      { kind: 'assertion', message: `${'x'.repeat(49)}2` },
    ],
    ['another signal', 'similar', { signal: 'SIGABRT', frames: ['circt::a'] }, { frames: ['circt::a'] }],
  ])('%s: %s', (_, match, reference, seen) => {
    expect(compareSignatures(aSignature(reference), aSignature(seen))).toBe(match)
  })
})

const NONE = aSignature({ kind: 'none', signal: null })
const HANG = aSignature({ kind: 'hang', signal: null })
const DIAGNOSED = aSignature({ kind: 'diagnostic', signal: null, message: 'no' })

describe('judgeReproduction', () => {
  it.each<[string, CrashSignature | null, CrashSignature[], object]>([
    [
      'three of three',
      aSignature(),
      [aSignature(), aSignature(), aSignature()],
      { reproduced: true, match_result: 'exact_match', reproduced_runs: 3 },
    ],
    [
      'one of three is enough',
      aSignature(),
      [NONE, aSignature(), NONE],
      { reproduced: true, reproduced_runs: 1, run: 1 },
    ],
    [
      'clean ends',
      aSignature(),
      [NONE, NONE, NONE],
      { reproduced: false, match_result: 'no_crash', reproduced_runs: 0 },
    ],
    [
      'a diagnostic where a crash is reported',
      aSignature(),
      [DIAGNOSED],
      { reproduced: false, match_result: 'no_crash' },
    ],
    ['the reported diagnostic', DIAGNOSED, [DIAGNOSED], { reproduced: true, match_result: 'exact_match' }],
    [
      'another crash',
      aSignature({ frames: ['circt::a'] }),
      [aSignature({ frames: ['circt::b'] })],
      { reproduced: true, match_result: 'different_crash' },
    ],
    [
      'memory where a crash is reported',
      aSignature(),
      [aSignature({ kind: 'memory', signal: null })],
      { reproduced: true, match_result: 'different_crash' },
    ],
    ['out of time where no hang is reported', aSignature(), [HANG, HANG, HANG], { reproduced: 'inconclusive' }],
    ['the reported hang', HANG, [HANG], { reproduced: true, match_result: 'exact_match' }],
    [
      'an assertion in a build without them',
      aSignature({ kind: 'assertion', message: 'a' }),
      [aSignature()],
      { reproduced: true, match_result: 'no_assertion' },
    ],
    [
      'an empty error text takes the first failing run',
      null,
      [NONE, HANG, HANG],
      { reproduced: true, match_result: 'exact_match', reproduced_runs: 2 },
    ],
    ['an empty error text and clean ends', null, [NONE, NONE, NONE], { reproduced: false }],
    ['no run at all', aSignature(), [], { reproduced: 'inconclusive', signature: null }],
    [
      'a usage error',
      DIAGNOSED,
      [{ ...DIAGNOSED, message: "Unknown command line argument '_'." }],
      { reproduced: false },
    ],
  ])('%s', (_, reference, seen, expected) => {
    expect(judgeReproduction(reference, seen)).toMatchObject(expected)
  })
})
