import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseErrorText } from '../../../src/rules/circt/error-text.js'
import { meaningfulFramesOf, ownFramesOf, passClassOf } from '../../../src/rules/circt/signature-frames.js'
import { functionNameOf } from '../../../src/rules/circt/signature-function-name.js'
import { normaliseMessage } from '../../../src/rules/circt/signature-message.js'
import { signatureOf, signatureOfErrorText, type SeenOutcome } from '../../../src/rules/circt/signature.js'

describe('functionNameOf', () => {
  it.each([
    ['circt::firrtl::StrictConnectOp::verifyInvariantsImpl()', 'circt::firrtl::StrictConnectOp::verifyInvariantsImpl'],
    [
      '(anonymous namespace)::SimToSVPass::runOnOperation()::{lambda(circt::hw::HWModuleOp)#1}::operator()(circt::hw::HWModuleOp) const',
      'SimToSVPass::runOnOperation',
    ],
    [
      '(anonymous namespace)::LowerTypesPass::runOnOperation()::$_43::operator()(circt::firrtl::FModuleLike) const',
      'LowerTypesPass::runOnOperation',
    ],
    [
      'circt::hw::UnionCreateOp mlir::OpBuilder::create<circt::hw::UnionCreateOp, mlir::Type&>(mlir::Location, mlir::Type&)',
      'mlir::OpBuilder::create',
    ],
    [
      'circt::hw::FieldIDTypeInterface::Concept* mlir::detail::InterfaceMap::lookup<circt::hw::X>() const',
      'mlir::detail::InterfaceMap::lookup',
    ],
    ['anon::GreedyPatternRewriteDriver::processWorklist()', 'GreedyPatternRewriteDriver::processWorklist'],
    ['bool llvm::operator<<(int)', 'llvm::operator_shl'],
    ['extractConcatToConcatExtract(int) [clone .cold]', 'extractConcatToConcatExtract'],
    ['f.isra.0', 'f'],
    ['', ''],
  ])('%s is %s', (demangled, name) => {
    expect(functionNameOf(demangled)).toBe(name)
  })

  it('never takes more than a moment, whatever came', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('(', ')', '<', '>', ':', ' ', 'a', '{', '}'), maxLength: 6000 }),
        (text) => {
          expect(functionNameOf(text).length).toBeLessThanOrEqual(300)
        },
      ),
    )
  })
})

const GREEDY = [
  'mlir::Value::getDefiningOp() const',
  'mlir::Operation::fold(int)',
  '(anonymous namespace)::GreedyPatternRewriteDriver::processWorklist()',
  '(anonymous namespace)::Canonicalizer::runOnOperation()',
  'mlir::PassManager::run(mlir::Operation*)',
  'main',
]

describe('frames', () => {
  it('prefers the own frames of CIRCT to those of MLIR', () => {
    const stack = [
      'mlir::StringAttr::getValue() const',
      '(anonymous namespace)::FIRRTLModuleLowering::runOnOperation()',
      'mlir::PassManager::run(mlir::Operation*)',
      'main',
    ]
    expect(ownFramesOf(stack)).toEqual(['FIRRTLModuleLowering::runOnOperation'])
    expect(meaningfulFramesOf(stack)).toEqual(['mlir::StringAttr::getValue', 'FIRRTLModuleLowering::runOnOperation'])
    expect(passClassOf(stack)).toBe('FIRRTLModuleLowering')
  })

  it('falls back to internals when nothing else is left, without the rewrite driver', () => {
    expect(ownFramesOf(GREEDY)).toEqual(['mlir::Value::getDefiningOp', 'mlir::Operation::fold'])
  })

  it('keeps five frames at most and shows recursion once', () => {
    const stack = [
      'circt::a()',
      'circt::a()',
      'circt::a()',
      ...['b', 'c', 'd', 'e', 'f'].map((name) => `circt::${name}()`),
    ]
    expect(ownFramesOf(stack)).toEqual(['circt::a', 'circt::b', 'circt::c', 'circt::d', 'circt::e'])
  })
})

describe('normaliseMessage', () => {
  it.each([
    ["use of undeclared identifier 'modul'", "use of undeclared identifier '_'"],
    ["'moore.ult' op requires 2 operands of '!moore.l8'", "'moore.ult' op requires N operands of '!moore.lN'"],
    [
      'detected combinational cycle in a FIRRTL module, sample path: Accum.{z <- ... <- z}',
      'detected combinational cycle in a FIRRTL module',
    ],
    ['value %foo.bar and @Top  differ', 'value %_ and @_ differ'],
    ["cannot open 'top.sv'", "cannot open '_'"],
    [
      "failed to legalize operation 'hw.module' that was explicitly marked illegal: %1 = x",
      "failed to legalize operation 'hw.module' that was explicitly marked illegal",
    ],
  ])('%s', (message, normal) => {
    expect(normaliseMessage(message)).toBe(normal)
  })
})

function ended(parts: Partial<SeenOutcome>): SeenOutcome {
  return { exitCode: parts.signal ? null : 0, signal: null, stopped: null, stderr: '', ...parts }
}

describe('signatureOf', () => {
  it.each([
    ['none', {}],
    ['none', { stderr: 'a.fir:1:1: warning: odd' }],
    ['crash', { signal: 'SIGSEGV', stderr: 'PLEASE submit a bug report' }],
    ['assertion', { signal: 'SIGABRT', stderr: "t: X.cpp:1: f: Assertion `a' failed." }],
    ['fatal_error', { signal: 'SIGABRT', stderr: 'a.fir:1:2: error: first\nLLVM ERROR: no' }],
    ['fatal_error', { exitCode: 1, stderr: '' }],
    ['verifier_error', { exitCode: 1, stderr: "a.sv:1:2: error: 'moore.ult' op requires all operands" }],
    ['verifier_error', { exitCode: 1, stderr: "a.sv:1:2: error: failed to legalize operation 'llhd.process'" }],
    ['diagnostic', { exitCode: 1, stderr: "a.sv:1:2: error: expected ';'" }],
    ['hang', { signal: 'SIGKILL', stopped: 'time' }],
    ['runaway', { signal: 'SIGKILL', stopped: 'output' }],
    ['runaway', { signal: 'SIGSYS', stopped: 'network' }],
    ['memory', { signal: 'SIGKILL', stopped: 'memory' }],
    ['memory', { signal: 'SIGABRT', stderr: 'LLVM ERROR: out of memory' }],
    ['memory', { signal: 'SIGKILL' }],
  ] as const)('%s for %j', (kind, parts) => {
    expect(signatureOf(ended(parts)).kind).toBe(kind)
  })

  it('takes pass and stack from other runs of the same input', () => {
    const extras = { failingPass: 'SFCCompat', stack: ['circt::f(int)'] }
    const signature = signatureOf(ended({ signal: 'SIGSEGV', stderr: 'Stack dump:' }), extras)
    expect(signature).toEqual({
      kind: 'crash',
      signal: 'SIGSEGV',
      failing_pass: 'SFCCompat',
      message: null,
      frames: ['circt::f'],
    })
  })

  it('does not take the engine’s own SIGKILL for the tool’s', () => {
    expect(signatureOf(ended({ signal: 'SIGKILL', stopped: 'time' })).signal).toBeNull()
  })
})

describe('signatureOfErrorText', () => {
  it.each([
    ['', null],
    ['some prose', null],
    ['PLEASE submit a bug report to https://github.com/llvm/circt', 'crash'],
    ['std::bad_alloc', 'memory'],
    ['Timeout after 60 s', 'hang'],
    ["x.sv:1:1: error: 'hw.module' op bad", 'verifier_error'],
  ])('%j reports %s', (text, kind) => {
    expect(signatureOfErrorText(parseErrorText(text))?.kind ?? null).toBe(kind)
  })
})
