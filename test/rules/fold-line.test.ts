import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldLine } from '../../src/rules/fold-line.js'
import { columnsOf } from '../../src/rules/votes-columns.js'

describe('a line too wide for the terminal', () => {
  it.each<[what: string, line: string, width: number, lines: string[]]>([
    ['stays as it is where it fits', '  one two', 9, ['  one two']],
    ['is broken at blanks, and goes on further in', '  one two three', 9, ['  one two', '    three']],
    ['of a table goes on below its last column', 'a  b  one two three', 13, ['a  b  one two', '      three']],
    [
      'of a table without room goes on at the left',
      'a long first column  one two',
      24,
      ['a long first column  one', '  two'],
    ],
    ['keeps a word whole that is wider', '  one extraordinary two', 8, ['  one', '    extraordinary', '    two']],
    ['counts wide letters twice', '  漢字 漢字 漢字', 11, ['  漢字 漢字', '    漢字']],
  ])('%s', (_, line, width, lines) => {
    expect(foldLine(line, width)).toEqual(lines)
  })

  it('loses no word, and is no wider than the terminal but for what cannot be broken', () => {
    const word = fc.stringMatching(/^[a-z漢]{1,12}$/)
    const cells = fc.array(fc.array(word, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(cells, fc.integer({ min: 10, max: 60 }), (rows, width) => {
        const line = rows.map((words) => words.join(' ')).join('  ')
        const lines = foldLine(line, width)
        expect(lines.join(' ').split(/ +/)).toEqual(line.split(/ +/))
        for (const each of lines.slice(1)) {
          expect(columnsOf(each) <= width || !each.trim().includes(' ')).toBe(true)
        }
      }),
    )
  })
})
