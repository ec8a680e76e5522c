import { describe, expect, it } from 'vitest'
import { AnalysisFile } from '../../../src/contracts/circt-files.js'
import { dialectOf, type DialectClues } from '../../../src/rules/circt/analysis-dialect.js'
import { analysisReport } from '../../../src/rules/circt/analysis-report.js'
import { analyse, passArgumentOf, type AnalysisFacts } from '../../../src/rules/circt/analysis.js'
import { constructsOf } from '../../../src/rules/circt/constructs.js'
import { parseErrorText } from '../../../src/rules/circt/error-text.js'
import { signatureOf } from '../../../src/rules/circt/signature.js'

const STACK = [
  'circt::scftocalyx::BuildControl::buildCFGControl(int) const',
  '(anonymous namespace)::SCFToCalyxPass::runOnOperation()',
  'main',
]

function facts(parts: Partial<AnalysisFacts> = {}): AnalysisFacts {
  const outcome = { exitCode: null, signal: 'SIGSEGV', stopped: null, stderr: 'Stack dump:' }
  return {
    language: 'mlir',
    source: 'func.func private @ext(i32) -> i32\nfunc.func @f() {\n  %0 = scf.while : () -> i32\n}\n',
    text: parseErrorText(outcome.stderr),
    signature: signatureOf(outcome, { failingPass: 'SCFToCalyx', stack: STACK }),
    stack: STACK,
    reproducer: null,
    hangingPass: null,
    found: [],
    isDegraded: false,
    ...parts,
  }
}

describe('analyse', () => {
  it('names pass, dialect, frames, constructs and a guessed source file', () => {
    const analysis = AnalysisFile.parse(analyse(facts()))
    expect(analysis).toMatchObject({
      analysis_type: 'rules',
      dialect: 'calyx',
      failing_pass: 'SCFToCalyx',
      crash_type: 'segfault',
      frames: ['circt::scftocalyx::BuildControl::buildCFGControl', 'SCFToCalyxPass::runOnOperation'],
      crash_location: { function: 'circt::scftocalyx::BuildControl::buildCFGControl' },
      test_case: {
        key_constructs: ['scf.while'],
        problematic_patterns: ['a function that is declared without a body'],
      },
      suggested_sources: [
        { path: 'lib/Conversion/SCFToCalyx/SCFToCalyx.cpp', reason: expect.stringContaining('guess') },
      ],
    })
    expect(analysis.keywords.slice(0, 2)).toEqual(['SCFToCalyx', 'BuildControl::buildCFGControl'])
    expect(analysis.hypotheses[0]).toMatchObject({
      confidence: 'low',
      evidence: expect.arrayContaining(['pass: SCFToCalyx']),
    })
    const stack = ['mlir::SuccessorRange::SuccessorRange(mlir::Block*)', ...STACK]
    expect(analyse(facts({ stack })).hypotheses[0]).toMatchObject({
      description: expect.stringContaining('a block or region that is empty'),
      confidence: 'medium',
    })
  })

  it('suspects the pass before the verifier that dies on what it made', () => {
    const text = parseErrorText(' #0 0x1 circt::firrtl::AOp::verify() FIRRTLOps.cpp:0:0\n')
    const outcome = { exitCode: null, signal: 'SIGSEGV', stopped: null, stderr: '' }
    const stack = ['circt::firrtl::AOp::verify()']
    const signature = signatureOf(outcome, { failingPass: 'SFCCompat', stack })
    expect(
      analyse(facts({ text, stack, signature, language: 'fir' })).suggested_sources.map(({ path }) => path),
    ).toEqual(['lib/Dialect/FIRRTL/Transforms/SFCCompat.cpp', 'lib/Dialect/FIRRTL/FIRRTLOps.cpp'])
  })

  it('takes the class of the pass from the stack when nothing else names one', () => {
    const outcome = { exitCode: null, signal: 'SIGSEGV', stopped: null, stderr: '' }
    expect(analyse(facts({ signature: signatureOf(outcome, { stack: STACK }) })).failing_pass).toBe('SCFToCalyxPass')
  })

  it('points at the line of the source that a verifier error names', () => {
    const stderr = "source.sv:2:3: error: 'moore.ult' op requires all operands to have the same type"
    const text = parseErrorText(stderr)
    const signature = signatureOf({ exitCode: 1, signal: null, stopped: null, stderr })
    const source = "module m;\n  assign p = a ==? 4'b1x;\nendmodule\n"
    const analysis = analyse(facts({ language: 'sv', source, text, signature, stack: [] }))
    expect(analysis).toMatchObject({
      dialect: 'moore',
      crash_location: { file: 'source.sv', line: 2 },
      test_case: { key_constructs: ['wildcard equality'] },
      hypotheses: [{ description: expect.stringContaining('moore.ult') }, {}],
    })
  })

  it('says that it is degraded and still has every section of the report', () => {
    const analysis = analyse(facts({ isDegraded: true, signature: null, stack: [] }))
    const report = analysisReport(analysis, {
      command: 'circt-opt source.mlir',
      toolVersion: null,
      errorHead: 'a ``` b',
      reproducerLines: 3,
    })
    expect(analysis).toMatchObject({ analysis_type: 'fallback', degraded: true, crash_type: 'unknown' })
    for (const title of [
      'Executive Summary',
      'Crash Context',
      'Error Analysis',
      'Test Case Analysis',
      'CIRCT Source Analysis',
      'Hypotheses',
      'Fix Directions',
      'Keywords',
      'Related Files',
    ]) {
      expect(report).toContain(`## ${title}\n`)
    }
    expect(report).toContain('Degraded')
    expect(report).toContain("a ''' b")
  })
})

it.each([
  ['pipeline: "builtin.module(firrtl.circuit(firrtl.module(firrtl-sfc-compat)))"', 'firrtl-sfc-compat'],
  ['pipeline: "builtin.module(lower-scf-to-calyx{a=b c=d})"', 'lower-scf-to-calyx'],
  ['nothing', null],
])('reads the argument of the pass from %s', (text, argument) => {
  expect(passArgumentOf(text)).toBe(argument)
})

describe('dialectOf', () => {
  const none: DialectClues = {
    signature: null,
    failingPass: null,
    passArgument: null,
    frames: [],
    operations: [],
    language: 'mlir',
  }
  it.each<[string | null, Partial<DialectClues>]>([
    ['firrtl', { failingPass: 'LowerFIRRTLToHW' }],
    ['firrtl', { failingPass: 'LowerCHIRRTLPass', frames: ['circt::hw::FieldIdImpl::getMaxFieldID'] }],
    ['sim', { failingPass: 'LowerSimToSV' }],
    ['moore', { failingPass: 'MooreToCore' }],
    ['sv', { failingPass: 'PrettifyVerilog' }],
    ['llhd', { passArgument: 'llhd-sig2reg' }],
    ['comb', { failingPass: 'CanonicalizerPass', frames: ['extractX', 'circt::comb::ExtractOp::canonicalize'] }],
    ['comb', { failingPass: 'CanonicalizerPass', operations: ['comb.extract', 'comb.concat', 'hw.instance'] }],
    ['firrtl', { language: 'fir' }],
    ['moore', { language: 'sv' }],
    [null, {}],
  ])('%s for %j', (dialect, clues) => {
    expect(dialectOf({ ...none, ...clues })).toBe(dialect)
  })
})

describe('constructsOf', () => {
  it.each([
    ['circuit Foo :\n  module Bar :\n', true],
    ['circuit Foo : %[[{"class":"x"}]]\n  module Foo :\n', false],
    ['circuit Foo :\n  module Bar :\n  public module Foo :\n', false],
    ['circuit Foo :\n  extmodule Foo :\n', false],
    ['  module Bar :\n', false],
  ])('sees in %j whether the main module is missing: %j', (text, isMissing) => {
    const { problematicPatterns } = constructsOf('fir', text, [])
    expect(problematicPatterns.includes('a circuit that has no main module')).toBe(isMissing)
  })

  it('puts operations of a loop before the rare ones, and registers make no loop', () => {
    const text =
      'hw.module @a() {\n  %0 = comb.extract %1 from 2\n  %1 = comb.concat %0, %b\n  %2 = seq.firmem 0\n  %r = seq.firreg %3 clock %c\n  %3 = comb.add %r, %r\n}'
    expect(constructsOf('mlir', text, [])).toEqual({
      keyConstructs: ['comb.extract', 'comb.concat', 'seq.firmem', 'seq.firreg', 'comb.add'],
      problematicPatterns: ['operations that use each other in a loop'],
    })
  })

  it('does not read comments', () => {
    expect(constructsOf('sv', '// a class\nmodule m; /* union */ endmodule', []).keyConstructs).toEqual([])
  })

  it('names the memory of enums', () => {
    const { keyConstructs, problematicPatterns } = constructsOf('fir', '    cmem m : {|X : UInt<8>|}[8]\n', [])
    expect({ keyConstructs, problematicPatterns }).toEqual({
      keyConstructs: ['enum', 'cmem'],
      problematicPatterns: ['a memory whose element is an enum'],
    })
  })

  it.each(['sv', 'fir', 'mlir'] as const)('reads hostile text of a megabyte in time (%s)', (language) => {
    const start = performance.now()
    for (const unit of ['/*', '%0 = ', 'a[', '[a', ' ', '"{', 'a.b ', '{|', '('])
      constructsOf(language, unit.repeat(1_000_000 / unit.length), [])
    expect(performance.now() - start).toBeLessThan(5000)
  })
})
