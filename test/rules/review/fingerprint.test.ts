import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { ReviewFile } from '../../../src/contracts/review-part.js'
import { parseDiff } from '../../../src/rules/review/diff.js'
import { fingerprints } from '../../../src/rules/review/fingerprint.js'

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32)

const LINES = ['start()', 'if (a) {', '  eval(a)', '}', 'next()', 'if (a) {', '  eval(a)', '}', 'eval(b)']

const file = (lines: string[], path = 'src/a.js'): ReviewFile => ({
  path,
  old_path: null,
  status: 'given',
  hunks: [],
  text: lines.join('\n'),
  before: null,
})

const of = (lines: string[], at: number[], path = 'src/a.js', rule: string | null = 'no-eval') =>
  fingerprints(
    at.map((suggestionLine) => ({ relevantFile: path, suggestionLine, rule, label: 'Security' })),
    [file(lines, path)],
    hash,
  )

describe('a fingerprint', () => {
  const [first, second, third] = of(LINES, [3, 7, 9])

  it('tells findings apart, those in the same surroundings too', () => {
    expect(new Set([first, second, third]).size).toBe(3)
  })

  it.each<[what: string, lines: string[], at: number[]]>([
    ['lines before it', ['// new', '', ...LINES], [5, 9, 11]],
    ['other white space', LINES.map((line) => `\t${line.trim()}  `), [3, 7, 9]],
    ['empty lines between', LINES.flatMap((line) => [line, '']), [5, 13, 17]],
  ])('survives %s', (_, lines, at) => {
    expect(of(lines, at)).toEqual([first, second, third])
  })

  it('survives a new name of the file', () => {
    expect(of(LINES, [3, 7, 9], 'lib/b.js')).toEqual([first, second, third])
  })

  it('changes with the line, its neighbours and the rule', () => {
    const changed = LINES.map((line) => line.replace('next()', 'other()'))
    expect(of(changed, [3, 7, 9])).toEqual([first, second, third])
    expect(of(LINES.with(2, '  eval(c)'), [3])[0]).not.toBe(first)
    expect(of(LINES.with(1, 'if (c) {'), [3])[0]).not.toBe(first)
    expect(of(LINES, [3], 'src/a.js', 'other')[0]).not.toBe(first)
  })

  it('is the same from the hunks alone when they show the neighbours', () => {
    const { hunks } = parseDiff('--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n if (a) {\n-  x\n+  eval(a)\n }\n').files[0]!
    const patch = { ...file([], 'x'), text: null, hunks, status: 'modified' as const }
    const told = { relevantFile: 'x', suggestionLine: 2, rule: 'no-eval', label: 'Security' }
    expect(fingerprints([told], [patch], hash)).toEqual([first])
  })
})
