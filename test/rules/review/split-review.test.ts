import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ReviewFile, ReviewHunk } from '../../../src/contracts/review-part.js'
import { hunksOfText } from '../../../src/rules/review/cut-hunks.js'
import { splitReview } from '../../../src/rules/review/split-review.js'
import { touchedLines } from '../../../src/rules/review/touched-lines.js'

const hunk = (newStart: number, lines: string[]): ReviewHunk => ({
  oldStart: newStart,
  newStart,
  oldLines: lines.filter((line) => line[0] !== '+').length,
  newLines: lines.filter((line) => line[0] !== '-').length,
  section: '',
  lines,
  isOldUnended: false,
  isNewUnended: false,
})

const changed = (path: string, hunks: ReviewHunk[]): ReviewFile => ({
  path,
  old_path: null,
  status: 'modified',
  hunks,
  text: null,
  before: null,
})

/** Number and text of every line of the version under review that the parts show. */
const shown = (parts: ReviewFile[][]) =>
  parts.flatMap((files) =>
    files.flatMap(({ path, hunks }) =>
      hunks.flatMap(({ newStart, newLines, lines }) => {
        let number = newLines === 0 ? newStart + 1 : newStart
        return lines.map((line) => [path, line[0] === '-' ? null : number++, line])
      }),
    ),
  )

it('puts small files together and large ones apart, in their order', () => {
  const files = ['a', 'b', 'c', 'd'].map((path, at) =>
    changed(path, [
      hunk(
        1,
        Array.from({ length: at < 2 ? 5 : 60 }, () => '+0123456789'),
      ),
    ]),
  )
  const { parts, left_out } = splitReview(files, 250)
  expect(parts.map((part) => part.map(({ path }) => path))).toEqual([['a', 'b'], ['c'], ['d']])
  expect(left_out).toEqual([])
})

it('keeps every line with its number, whatever it cuts', () => {
  const line = fc
    .tuple(fc.constantFrom('+', '-', ' '), fc.string({ maxLength: 30 }))
    .map(([mark, text]) => mark + text.replaceAll('\n', ''))
  const hunks = fc.array(fc.array(line, { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(fc.array(hunks, { minLength: 1, maxLength: 4 }), fc.integer({ min: 60, max: 400 }), (all, tokens) => {
      const files = all.map((each, file) =>
        changed(
          `f${file}`,
          each.map((lines, at) => hunk(1 + at * 100, lines)),
        ),
      )
      const { parts, left_out } = splitReview(files, tokens)
      expect(left_out).toEqual([])
      expect(shown(parts)).toEqual(shown([files]))
      for (const { hunks: cut } of parts.flat()) {
        for (const each of cut)
          expect(each).toMatchObject({ ...hunk(each.newStart, each.lines), oldStart: each.oldStart })
      }
    }),
  )
})

it('leaves out only a line that is longer than a part, and says so', () => {
  const long = `+${'x'.repeat(3000)}`
  const { parts, left_out } = splitReview([changed('a', [hunk(7, ['+one', long, '+three'])])], 200)
  expect(shown(parts)).toEqual([
    ['a', 7, '+one'],
    ['a', 9, '+three'],
  ])
  expect(left_out).toEqual([{ path: 'a', reason: expect.stringContaining('line 8 is too long') }])
})

it('gives each part of a large file its share of the lines', () => {
  const text = Array.from({ length: 100 }, (_, i) => `line ${i + 1}\n`).join('')
  const file: ReviewFile = { ...changed('a', []), status: 'given', text }
  const { parts } = splitReview([file], 150)
  expect(parts.length).toBeGreaterThan(1)
  expect(shown(parts)).toEqual(shown([[{ ...file, hunks: hunksOfText(text) }]]))
  const owners = (line: number) => parts.filter(([piece]) => touchedLines(piece!).within(line, line) !== null).length
  expect([1, 50, 100].map(owners)).toEqual([1, 1, 1])
  expect(owners(101)).toBe(0)
})
