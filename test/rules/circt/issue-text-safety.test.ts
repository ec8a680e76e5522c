import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codeBlock, codeSpan, cutLines, printable, prose } from '../../../src/rules/circt/issue-text-safety.js'

describe('prose of strangers', () => {
  it.each([
    ['@maintainers look', '@\u200bmaintainers look'],
    ['as in #123 and GH-7', 'as in #\u200b123 and GH\u200b-7'],
    ['llvm/circt#9', 'llvm/circt#\u200b9'],
    ['see https://evil.example', 'see https:\u200b//evil.example'],
    ['<img src=x onerror=y>', '&lt;img src=x onerror=y&gt;'],
    ['[a](b) *c* _d_', String.raw`\[a\](b) \*c\* \_d\_`],
    ['# heading', String.raw`\# heading`],
    ['1. item', String.raw`1\. item`],
    ['two\nlines\r\nhere', 'two lines here'],
    ['a `comb.extract` b', 'a `comb.extract` b'],
    ['an open ` tick', String.raw`an open \` tick`],
  ])('%j becomes text', (text, safe) => {
    expect(prose(text, 200)).toBe(safe)
  })

  it('never leaves a tag, a mention or a reference outside of a code span', () => {
    const nasty = fc
      .array(fc.constantFrom('<', '>', '@bob', '#12', '`', '\n', '](', '[', 'x', ' ', '&', '<!--', '\\'))
      .map((all) => all.join(''))
    fc.assert(
      fc.property(nasty, (text) => {
        const outside = prose(text, 500).replace(/\\.|`[^`]+`/g, '')
        expect(outside).not.toMatch(/[<>\n]|@\w|#\d/)
      }),
    )
  })
})

describe('code', () => {
  it('a span survives its own backticks', () => {
    expect(codeSpan('a `b` c', 50)).toBe('``a `b` c``')
    expect(codeSpan('`', 50)).toBe('`` ` ``')
    expect(codeSpan('', 50)).toBe('` `')
    expect(codeSpan('abcdef', 4)).toBe('`abc…`')
  })

  it('nothing inside closes a block', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('`', '```', '\n', 'x', ' ', '~~~')), (parts) => {
        const lines = codeBlock(parts.join(''), 'mlir').split('\n')
        const fence = lines.at(-1) ?? ''
        expect(lines[0]).toBe(`${fence}mlir`)
        expect(fence).toMatch(/^`{3,}$/)
        expect(lines.slice(1, -1).some((line) => line.includes(fence))).toBe(false)
      }),
    )
  })

  it('loses colours, control characters and marks that reorder text', () => {
    expect(printable('\u001b[31mred\u001b[0m\u0000 \u202eabc\u2066\r\n\tx\ud800')).toBe('red abc\n\tx\ufffd')
  })
})

describe('a cut', () => {
  it.each([
    ['a\nb\nc', { lines: 3, characters: 100 }, 'a\nb\nc', null],
    ['a\nb\nc', { lines: 2, characters: 100 }, 'a\nb', 'Cut: the first 2 of 3 lines.'],
    ['abcdef', { lines: 9, characters: 6 }, 'abcdef', null],
    ['abcdef', { lines: 9, characters: 5 }, 'abcde', 'Cut: the first 1 of 1 lines.'],
  ])('of %j within %j', (text, limits, kept, note) => {
    expect(cutLines(text, limits)).toEqual({ text: kept, note })
  })
})
