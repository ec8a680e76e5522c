import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Block } from '../../../src/rules/reduce/block-tree.js'
import { allBlocks, blockTree } from '../../../src/rules/reduce/block-tree.js'
import { lineLevels } from '../../../src/rules/reduce/line-levels.js'
import { anySource, LANGUAGES } from './sources.js'

/** The lines of a tree in order, each once: a block's own head and tail, and its children's. */
function linesOf(blocks: readonly Block[]): number[] {
  return blocks.flatMap((block) => {
    const tail = block.to > block.bodyTo ? [block.bodyTo] : []
    return [block.from, ...linesOf(block.children), ...tail]
  })
}

describe.each(LANGUAGES)('blocks of .%s', (language) => {
  it('hold every line exactly once, in order, whatever the source is', () => {
    fc.assert(
      fc.property(anySource, (text) => {
        const levels = lineLevels(text, language)
        expect(levels).toHaveLength(text.split('\n').length)
        expect(linesOf(blockTree(levels))).toEqual([...levels.keys()])
      }),
    )
  })
})

describe('a block', () => {
  const firstLines = (text: string, language: 'sv' | 'fir' | 'mlir') => {
    const lines = text.split('\n')
    return allBlocks(blockTree(lineLevels(text, language)))
      .filter((block) => block.to - block.from > 1)
      .map((block) => `${lines[block.from]?.trim()} … ${lines[block.to - 1]?.trim()}`)
  }

  it('of FIRRTL is a line with the deeper lines below it; annotations in brackets belong to the circuit', () => {
    const text =
      'circuit T: %[[\n  {"a": 1},\n  {"b": 2}\n]]\n  module A:\n    when x:\n      skip\n    else:\n      skip\n  module T:\n    skip'
    expect(firstLines(text, 'fir')).toEqual([
      'circuit T: %[[ … skip',
      'module A: … skip',
      'module T: … skip',
      'when x: … skip',
      'else: … skip',
    ])
  })

  it('of MLIR is a region with its operation; a second region goes with the first, or by itself', () => {
    const text = 'm {\n  %0 = scf.if %c {\n    a\n  } else {\n    b\n  }\n  c\n}'
    expect(firstLines(text, 'mlir')).toEqual(['m { … }', '%0 = scf.if %c { … }', '} else { … b'])
  })

  it('of SystemVerilog ends at its end word, and one without a body opens nothing', () => {
    const text =
      'import "DPI-C" function int f();\nmodule m (\n  input a\n);\n  always_comb begin\n    y = a;\n  end\nendmodule'
    expect(firstLines(text, 'sv')).toEqual(['module m ( … endmodule', 'always_comb begin … end'])
  })
})
