import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  candidateKeywords,
  hasKeyword,
  ownFunctions,
  pickKeywords,
  wordsOf,
} from '../../../src/rules/circt/keywords.js'
import { anAnalysis } from '../../support/circt-analysis.js'

describe('words', () => {
  it.each([
    ['HWModuleOp', ['hw', 'module', 'op']],
    ['SCFToCalyxPass', ['scf', 'to', 'calyx', 'pass']],
    ['llhd-mem2reg Mem2Reg', ['llhd', 'mem2reg', 'mem2reg']],
    ['comb.extract_op', ['comb', 'extract', 'op']],
    ['', []],
  ])('%s is cut at separators and humps', (text, words) => {
    expect(wordsOf(text)).toEqual(words)
  })

  it('a keyword is found in every text that holds it as whole words', () => {
    const word = fc.stringMatching(/^[a-z]{3,8}$/)
    fc.assert(
      fc.property(fc.array(word), word, fc.array(word), (before, keyword, after) => {
        expect(hasKeyword(wordsOf([...before, keyword, ...after].join(' ')), keyword)).toBe(true)
      }),
    )
  })
})

describe('whole words only', () => {
  it.each(['Support for unions', 'ImportVerilog fails', 'Report a transport error', 'ports are lost'])(
    '"port" is not in "%s"',
    (text) => {
      expect(hasKeyword(wordsOf(text), 'port')).toBe(false)
    },
  )

  it.each([
    ['port', 'in ModulePortInfo::sanitizeInOut'],
    ['lower-scf-to-calyx', 'in LowerSCFToCalyx'],
    ['IMDeadCodeElim', '-firrtl-imdeadcodeelim crashes'],
    ['comb.extract', '%0 = comb.extract %1 from 2'],
    ['Mem2Reg', '--llhd-mem2reg'],
  ])('"%s" is in "%s"', (keyword, text) => {
    expect(hasKeyword(wordsOf(text), keyword)).toBe(true)
  })
})

describe('the choice of keywords', () => {
  const corpus = [
    { title: 'alpha beta gamma', body: '' },
    { title: 'alpha beta', body: '' },
    { title: 'alpha', body: 'delta.one' },
  ]

  it('takes the rarest first and keeps words that no issue has for the places left', () => {
    expect(pickKeywords(['alpha', 'nowhere', 'beta', 'gamma'], corpus)).toEqual(['gamma', 'beta', 'alpha', 'nowhere'])
  })

  it('takes at most ten', () => {
    const many = Array.from({ length: 30 }, (_, at) => `word${String.fromCharCode(97 + (at % 26))}${at}`)
    expect(pickKeywords(many, corpus)).toHaveLength(10)
  })

  it('leaves out a part that hits the same issues as the whole, and what the score counts by itself', () => {
    expect(pickKeywords(['delta.one', 'delta', 'alpha', 'moore'], corpus, ['MooreToCorePass', 'moore'])).toEqual([
      'delta.one',
      'alpha',
    ])
  })

  it('never counts a keyword twice, however it is spelled', () => {
    expect(pickKeywords(['SCFToCalyx', 'scf-to-calyx', 'scf_to_calyx'], [])).toEqual(['SCFToCalyx'])
  })
})

describe('candidates', () => {
  it('are the pass, own functions and constructs, their parts, and telling words of the message', () => {
    const candidates = candidateKeywords(
      anAnalysis({
        failing_pass: 'CanonicalizerPass',
        assertion_message: 'op->use_empty() && "expected \'op\' to have no uses"',
        frames: ['extractConcat(circt::comb::ExtractOp)'],
        test_case: { language: 'mlir', key_constructs: ['comb.mux'], problematic_patterns: [] },
        keywords: ['cyclic'],
      }),
    )
    expect(candidates).toEqual([
      'Canonicalizer',
      'extractConcat',
      'comb.mux',
      'extract',
      'concat',
      'comb',
      'mux',
      'cyclic',
      'use',
      'empty',
      'uses',
    ])
  })

  it.each([
    ['circt::comb::ExtractOp::canonicalize(circt::comb::ExtractOp, mlir::PatternRewriter&)', ['ExtractOp']],
    ['(anonymous namespace)::SimToSVPass::runOnOperation()', ['SimToSV']],
    ['void circt::calyx::lower<mlir::func::FuncOp>(int) const', ['lower']],
    ['mlir::Operation::fold(llvm::SmallVectorImpl<mlir::OpFoldResult>&)', []],
    ['main', []],
  ])('the own function of %s', (frame, names) => {
    expect(ownFunctions({ frames: [frame], signature: null })).toEqual(names)
  })
})
