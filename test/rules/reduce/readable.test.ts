import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readable, withoutComments } from '../../../src/rules/reduce/readable.js'
import { isBlank, tokenise } from '../../../src/rules/reduce/tokens.js'
import { anySource, LANGUAGES } from './sources.js'

describe.each(LANGUAGES)('printing .%s', (language) => {
  it('keeps every token but comments, in order', () => {
    const words = (text: string) =>
      tokenise(text, language)
        .filter((token) => !isBlank(token))
        .map((token) => token.text)
    const plain = fc.constantFrom(
      'module',
      'end',
      'a',
      ';',
      '(',
      ')',
      '{',
      '}',
      ',',
      '\n',
      '  ',
      '%a',
      '"s"',
      '<=',
      '[',
      ']',
      'begin',
    )
    fc.assert(
      fc.property(fc.array(plain, { maxLength: 30 }), (pieces) => {
        const text = pieces.join(' ')
        expect(words(readable(text, language))).toEqual(words(text))
      }),
    )
  })

  it('leaves no blank line', () => {
    fc.assert(
      fc.property(anySource, (text) => {
        const lines = readable(text, language).split('\n').slice(0, -1)
        expect(lines.filter((line) => line.trim() === '')).toEqual([])
      }),
    )
  })

  it('changes nothing the second time', () => {
    const lines = fc.array(fc.constantFrom('a', 'f (x);', 'begin', 'end', '{', '}', 'g ( y )', 'if (a) b; else c;'), {
      maxLength: 12,
    })
    fc.assert(
      fc.property(lines, (pieces) => {
        const once = readable(pieces.join('\n'), language)
        expect(readable(once, language)).toBe(once)
      }),
    )
  })
})

describe('printed', () => {
  it('one statement stands on each line, two spaces deep per level', () => {
    const text =
      'module m( input a ,output reg y ); // c\nalways_comb begin if (a) begin y = 1; end else begin y = 0; end end endmodule'
    expect(readable(text, 'sv')).toBe(
      [
        'module m(input a,output reg y);',
        '  always_comb begin',
        '    if (a) begin',
        '      y = 1;',
        '    end else begin',
        '      y = 0;',
        '    end',
        '  end',
        'endmodule',
        '',
      ].join('\n'),
    )
  })

  it('a port list over several lines stands one step deep, its bracket below the module', () => {
    expect(readable('module m (\ninput a\n);\nassign y = a;\nendmodule', 'sv')).toBe(
      'module m (\n  input a\n);\n  assign y = a;\nendmodule\n',
    )
  })

  it('FIRRTL keeps its blocks at any indentation', () => {
    expect(readable('circuit A :\n     module A :\n         skip ; c\n\n', 'fir')).toBe(
      'circuit A :\n  module A :\n    skip\n',
    )
  })

  it.each([
    ['sv', 'a // x\n/* y\nz */ b', 'a\n b\n'],
    ['fir', 'a ; x\n\nb', 'a\nb\n'],
    ['mlir', '// x\na "// no comment"', 'a "// no comment"\n'],
  ] as const)('comments of .%s are gone: %j', (language, text, expected) => {
    expect(withoutComments(text, language)).toBe(expected)
  })
})
