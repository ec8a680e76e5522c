import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SourceLanguage } from '../../../src/contracts/circt.js'
import type { Pass } from '../../../src/rules/reduce/candidate.js'
import { removals } from '../../../src/rules/reduce/candidate.js'
import { emptyFunctions, forwardOperands } from '../../../src/rules/reduce/forward-operands.js'
import { matchOperands } from '../../../src/rules/reduce/match-operands.js'
import { ALL_PASSES } from '../../../src/rules/reduce/passes.js'
import { removeBlocks } from '../../../src/rules/reduce/remove-blocks.js'
import { removeItems } from '../../../src/rules/reduce/remove-items.js'
import { removeSingleLines } from '../../../src/rules/reduce/remove-lines.js'
import { removeMentions, removeNames } from '../../../src/rules/reduce/remove-names.js'
import { removeTokens } from '../../../src/rules/reduce/remove-tokens.js'
import { hoistArguments, simplifyNumbers } from '../../../src/rules/reduce/simplify-values.js'
import { anySource, LANGUAGES } from './sources.js'

function textsOf(pass: Pass, text: string, language: SourceLanguage): string[] {
  return Array.from(pass.candidates(text, language, []), (candidate) => candidate.text)
}

describe('runs of neighbours', () => {
  it('come as the whole, halves, quarters and single ones, from the back', () => {
    const seen = Array.from(removals(5, []), ({ from, to }) => [from, to])
    expect(seen).toEqual([
      [0, 5],
      [2, 5],
      [0, 2],
      [3, 5],
      [1, 3],
      [0, 1],
      [4, 5],
      [3, 4],
      [2, 3],
      [1, 2],
      [0, 1],
    ])
  })

  it('go on before the run that was taken', () => {
    expect(Array.from(removals(4, [1, 2]), ({ from }) => from)).toEqual([1, 0])
  })

  it('of nothing are none', () => {
    expect([...removals(0, [])]).toEqual([])
  })
})

describe.each(ALL_PASSES.map((pass) => ({ name: pass.name, pass })))('the pass "$name"', ({ pass }) => {
  it.each(LANGUAGES)('comes to an end on any .%s when every candidate is taken, and when none is', (language) => {
    fc.assert(
      fc.property(anySource, fc.infiniteStream(fc.boolean()), (source, answers) => {
        let candidates = pass.candidates(source, language, [])[Symbol.iterator]()
        for (let count = 0; count < 5000; count += 1) {
          const { value, done } = candidates.next()
          if (done === true) return
          if (answers.next().value === true)
            candidates = pass.candidates(value.text, language, value.next)[Symbol.iterator]()
        }
        expect.fail('no end after 5000 candidates')
      }),
      { numRuns: 60 },
    )
  })
})

describe('a block is offered for removal', () => {
  const fir = 'circuit T:\n  module A:\n    skip\n  module T:\n    inst a of A\n    connect a.x, b'

  it('alone, and with everything that uses its name', () => {
    const texts = textsOf(removeBlocks, fir, 'fir')
    expect(texts).toContain('circuit T:\n  module T:\n    inst a of A\n    connect a.x, b')
    expect(texts).toContain('circuit T:\n  module T:')
  })

  it('as its body alone, and as its head alone', () => {
    expect(textsOf(removeBlocks, fir, 'fir')).toContain('circuit T:\n  module A:\n    skip\n  module T:')
    expect(textsOf(removeBlocks, 'module {\n  a\n}', 'mlir')).toContain('  a')
  })

  it('as an else branch that leaves the closing line to the if', () => {
    const text = 'if {\n  a\n} else {\n  b\n}'
    expect(textsOf(removeBlocks, text, 'mlir')).toContain('if {\n  a\n}')
  })
})

describe('a name goes', () => {
  it('with the lines that use it, and those that use theirs', () => {
    const text = 'm {\n  %0 = a\n  %1 = b %0\n  %2 = c %1\n  d %x\n}'
    expect(textsOf(removeNames, text, 'mlir')).toContain('m {\n  d %x\n}')
  })

  it('in its own scope only', () => {
    const text = 'circuit T:\n  module A:\n    input x: Clock\n  module T:\n    input x: Clock'
    expect(textsOf(removeNames, text, 'fir')).toContain('circuit T:\n  module A:\n    input x: Clock\n  module T:')
  })

  it('from everywhere, in strings of FIRRTL too', () => {
    const text = 'circuit T: %[[\n  {"target": "~T|Bar"}\n]]\n  module Bar:\n  module T:'
    expect(textsOf(removeMentions, text, 'fir')).toContain('circuit T: %[[\n]]\n  module T:')
  })
})

describe('lists', () => {
  it('lose an item with its comma, over several lines too', () => {
    const texts = textsOf(removeItems, 'c %[[\n  {"a": 1},\n  {"b": 2}\n]]', 'fir')
    expect(texts).toContain('c %[[\n  {"a": 1}\n]]')
    expect(texts).toContain('c %[[\n  {"b": 2}\n]]')
  })

  it('lose a port with the lines that use it', () => {
    const text = 'hw.module @m(in %a : i1, in %b : i1) {\n  x %b\n  y %a\n}'
    expect(textsOf(removeItems, text, 'mlir')).toContain('hw.module @m(in %a : i1) {\n  y %a\n}')
  })

  it('go whole, with their brackets and the word before them', () => {
    const texts = textsOf(removeItems, 'm #(parameter W = 1) (a);', 'sv')
    expect(texts).toContain('m  (a);')
    expect(texts).toContain('m #(parameter W = 1) ();')
  })

  it('lose operand, type and result at once', () => {
    const text = 'hw.module @m(in %a : i1, out x : i1, out y : i2) {\n  hw.output %a, %b : i1, i2\n}'
    expect(textsOf(matchOperands, text, 'mlir')).toContain(
      'hw.module @m(in %a : i1, out x : i1) {\n  hw.output %a : i1\n}',
    )
    const func = 'func.func @f() -> (i1, !a<b, c>) {\n  return %a, %b : i1, !a<b, c>\n}'
    expect(textsOf(matchOperands, func, 'mlir')).toContain('func.func @f() -> (!a<b, c>) {\n  return %b : !a<b, c>\n}')
    expect(textsOf(matchOperands, func, 'mlir')).toContain('func.func @f() {\n  return\n}')
  })
})

describe('smaller values', () => {
  it('an operand takes the place of a result', () => {
    expect(textsOf(forwardOperands, 'm {\n  %1 = add %a, %b : i1\n  use %1\n}', 'mlir')).toEqual([
      'm {\n  use %a\n}',
      'm {\n  use %b\n}',
    ])
  })

  it('a function is left with its terminator', () => {
    const text = 'func.func @f(%a: i1) -> i1 {\n  %0 = x %a\n  return %0 : i1\n}'
    expect(textsOf(emptyFunctions, text, 'mlir')[0]).toBe('func.func @f() {\n  return\n}')
  })

  it('numbers and widths become one, everywhere at once, and never zero', () => {
    expect(textsOf(simplifyNumbers, 'a 8 b 8', 'fir')).toEqual(['a 1 b 1', 'a 2 b 2', 'a 4 b 4'])
    expect(textsOf(simplifyNumbers, 'x : i16', 'mlir')).toEqual(['x : i1', 'x : i2', 'x : i8'])
    expect(textsOf(simplifyNumbers, "y = 32'bx01;", 'sv')).toEqual(["y = 1'b1;"])
  })

  it('a call gives way to one of its arguments', () => {
    expect(textsOf(hoistArguments, 'node x = add(a, b)', 'fir')).toEqual(['node x = a', 'node x = b'])
  })

  it('tokens go in runs, but no separator by itself', () => {
    const texts = textsOf(removeTokens, 'a, b', 'sv')
    expect(texts).toEqual(['a', ', b', 'a,', ', b'])
    expect(texts).not.toContain('a b')
  })

  it('every single line is offered, blank ones aside', () => {
    expect(textsOf(removeSingleLines, 'a\n\nb\n', 'sv')).toEqual(['a\n\n', '\nb\n'])
  })
})
