import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ReviewDraft } from '../../../src/contracts/review-answers.js'
import type { ReviewFile } from '../../../src/contracts/review-part.js'
import { parseDiff } from '../../../src/rules/review/diff.js'
import { groundIssues } from '../../../src/rules/review/ground-issues.js'

const given = (text: string, path = 'src/a.js'): ReviewFile => ({
  path,
  old_path: null,
  status: 'given',
  hunks: [],
  text,
  before: null,
})

const draft = (said: Partial<ReviewDraft> = {}): ReviewDraft => ({
  id: 'ISSUE-001',
  relevantFile: 'src/a.js',
  existingCode: 'eval(x)',
  suggestionContent: 'eval runs what it is given',
  improvedCode: 'JSON.parse(x)',
  label: 'Security',
  suggestionLine: 1,
  severity: 'High',
  ...said,
})

const ground = (issue: Partial<ReviewDraft>, file: ReviewFile = given('const y = eval(x)\n')) =>
  groundIssues([draft(issue)], [file], '/repo')

const reasonOf = (issue: Partial<ReviewDraft>, file?: ReviewFile) => ground(issue, file).refuted[0]?.reason ?? null

describe('fields', () => {
  it.each<[what: string, said: Partial<ReviewDraft>, reason: string | null]>([
    ['a whole issue', {}, null],
    ['no file', { relevantFile: null }, 'missing_field'],
    ['no quotation', { existingCode: ' \n ' }, 'missing_field'],
    ['no advice', { suggestionContent: '' }, 'missing_field'],
    ['no fix', { improvedCode: undefined }, 'missing_field'],
    ['no label', { label: '' }, 'missing_field'],
    ['no line', { suggestionLine: null }, 'missing_field'],
    ['a line in digits', { suggestionLine: ' 1 ' }, null],
    ['line 0', { suggestionLine: 0 }, 'missing_field'],
    ['line 1.5', { suggestionLine: 1.5 }, 'missing_field'],
    ['line NaN', { suggestionLine: Number.NaN }, 'missing_field'],
    ['a line in words', { suggestionLine: 'first' }, 'missing_field'],
    ['a label nobody knows', { label: 'Style' }, 'unknown_label'],
    ['a label in lower case', { label: 'security' }, null],
    ['a severity nobody knows', { severity: 'Blocker' }, 'unknown_severity'],
    ['no severity', { severity: null }, null],
    ['a file that is not there', { relevantFile: 'src/b.js' }, 'file_out_of_scope'],
    ['a file outside', { relevantFile: '../src/a.js' }, 'file_out_of_scope'],
    ['the file by its absolute path', { relevantFile: '/repo/src/a.js' }, null],
    ['the file from the root', { relevantFile: '/src/a.js' }, null],
    ['the file as a diff names it', { relevantFile: 'b/src/a.js' }, null],
    ['the same code as a fix', { improvedCode: 'eval(x)' }, 'no_improvement'],
    ['the same code in other white space', { improvedCode: '  eval(x)\n' }, 'no_improvement'],
  ])('%s', (_, said, reason) => {
    expect(reasonOf(said)).toBe(reason)
  })

  it('counts indentation as a fix where it means something', () => {
    const python = given('if a:\n    b()\n    c()\n', 'a.py')
    const said = { relevantFile: 'a.py', existingCode: '    b()\n    c()', improvedCode: '    b()\nc()' }
    expect(reasonOf(said, python)).toBeNull()
    expect(reasonOf({ ...said, improvedCode: 'b()\nc()' }, python)).toBe('no_improvement')
  })

  it('says that a severity was assumed', () => {
    expect(ground({ severity: '' }).grounded[0]).toMatchObject({ severity: 'Medium', flags: ['severity_assumed'] })
  })
})

describe('quotations', () => {
  const file = given('function f(a) {\n  if (a)   {\n\treturn g(a)\n  }\n\n  return h(a)\n}\n')
  it.each([
    ['as it stands', '  if (a)   {\n\treturn g(a)', 2],
    ['in other white space', 'if (a) { return g(a)', 2],
    ['across an empty line', '}\nreturn h(a)', 4],
    ['a part of a line', 'return h(', 6],
    ['in a fence', '```js\nreturn h(a)\n```', 6],
    ['with the marks of a diff', '+  if (a)   {\n+\treturn g(a)', 2],
    ['with line numbers', '5: \n6:   return h(a)', 6],
  ])('%s is found, and the line corrected', (_, existingCode, line) => {
    expect(ground({ existingCode, suggestionLine: 40 }, file).grounded[0]).toMatchObject({
      suggestionLine: line,
      flags: ['line_corrected'],
    })
  })

  it.each(['return i(a)', 'return h (a)', 'if (a) {\n...\n}', 'return g(a) }\nreturn h(a)}', 'F(A)'])(
    '%j is not there',
    (existingCode) => {
      expect(reasonOf({ existingCode }, file)).toBe('quotation_not_found')
    },
  )

  it.each([
    ['return h(a)', 6, 6, true],
    ['return h(', 6, 6, false],
    ['if (a) { return g(a)\n}', 2, 4, true],
    ['{ return g(a)', 2, 3, false],
  ])('%j stands in lines %d to %d, whole: %s', (existingCode, startLine, endLine, isWholeLines) => {
    expect(ground({ existingCode, suggestionLine: 1 }, file).grounded[0]).toMatchObject({
      startLine,
      endLine,
      isWholeLines,
    })
  })

  it('takes the place nearest to the line', () => {
    const many = given('a()\nb()\na()\nb()\na()\n')
    const at = (suggestionLine: number) =>
      ground({ existingCode: 'a()', improvedCode: 'c()', suggestionLine }, many).grounded[0]?.suggestionLine
    expect([1, 2, 3, 4, 5, 9].map(at)).toEqual([1, 1, 3, 3, 5, 5])
  })
})

describe('a diff', () => {
  const DIFF = [
    '--- a/src/a.js',
    '+++ b/src/a.js',
    '@@ -1,5 +1,5 @@',
    ' const a = 1',
    '-check(a)',
    ' use(a)',
    ' far(a)',
    '+added(a)',
    ' end(a)',
    '@@ -20,2 +20,3 @@',
    ' const b = 1',
    '+added(b)',
    ' end(b)',
  ].join('\n')
  const known: ReviewFile = { ...given('const a = 1\nuse(a)\nfar(a)\nadded(a)\nend(a)\n'), status: 'modified' }
  const patch: ReviewFile = { ...known, text: null, hunks: parseDiff(DIFF).files[0]!.hunks }

  it.each([
    ['an added line', 'added(a)', 4, null],
    ['more around an added line', 'far(a)\nadded(a)\nend(a)', 4, null],
    ['the line before a deletion', 'const a = 1', 1, null],
    ['the line after a deletion', 'use(a)', 2, null],
    ['a line the change left alone', 'far(a)', 0, 'quotation_not_in_change'],
    ['the deleted line', 'check(a)', 0, 'quotation_not_found'],
    ['the end of one hunk and the start of the next', 'end(a)\nconst b = 1', 0, 'quotation_not_found'],
    ['a line of the second hunk', 'added(b)', 21, null],
  ])('%s', (_, existingCode, line, reason) => {
    const { grounded, refuted } = ground({ existingCode, suggestionLine: 9 }, patch)
    expect(refuted[0]?.reason ?? null).toBe(reason)
    expect(grounded[0]?.suggestionLine ?? 0).toBe(line)
  })

  it('finds what the hunks do not show when the whole file is known', () => {
    const whole = { ...patch, text: `${known.text}\n`.replace('use(a)', 'use(a)') }
    expect(reasonOf({ existingCode: 'far(a)\nadded(a)' }, whole)).toBeNull()
  })

  it('knows a renamed file by both names, and a deleted one by none', () => {
    const renamed: ReviewFile = { ...patch, status: 'renamed', path: 'src/z.js', old_path: 'src/a.js' }
    expect(ground({ existingCode: 'added(a)' }, renamed).grounded[0]?.relevantFile).toBe('src/z.js')
    expect(reasonOf({ existingCode: 'added(a)' }, { ...patch, status: 'deleted' })).toBe('file_out_of_scope')
  })
})

describe('whatever the file and the quotation', () => {
  const word = fc.constantFrom('a', 'b', 'ab', 'aa', '{', '}', 'eval(x)', '+', '1:', '```')
  const space = fc.constantFrom(' ', '  ', '\t', '\n', '\r\n', '\n\n', ' \n ')
  const text = fc.array(fc.tuple(word, space), { minLength: 1, maxLength: 40 }).map((parts) => parts.flat().join(''))
  const words = (code: string) => code.split(/\s+/).filter((part) => part !== '')

  it('a real quotation passes, in whatever white space', () => {
    fc.assert(
      fc.property(
        text,
        fc.nat(),
        fc.nat(),
        fc.array(space, { minLength: 41, maxLength: 41 }),
        (code, from, count, spaces) => {
          const all = words(code)
          const start = from % all.length
          const quoted = all.slice(start, start + 1 + (count % (all.length - start)))
          const existingCode = quoted.map((part, at) => `${part}${spaces[at]}`).join('')
          expect(reasonOf({ existingCode, improvedCode: 'else' }, given(code))).toBeNull()
        },
      ),
    )
  })

  it('an invented quotation never passes', () => {
    fc.assert(
      fc.property(text, text, fc.nat(), (code, other, at) => {
        const position = at % other.length
        const existingCode = `${other.slice(0, position)}§${other.slice(position)}`
        expect(reasonOf({ existingCode, improvedCode: 'else' }, given(code))).toBe('quotation_not_found')
      }),
    )
  })

  it('what passes is in the file, word by word, around the line that is told', () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 1, max: 60 }), (code, existingCode, suggestionLine) => {
        const [found] = ground({ existingCode, improvedCode: 'else', suggestionLine }, given(code)).grounded
        if (found === undefined) return
        const lines = code.split('\n').slice(found.suggestionLine - 1, found.endLine)
        expect(words(lines.join('\n')).join(' ')).toContain(words(found.existingCode).join(' '))
      }),
    )
  })
})

it('takes twenty quotations made to be slow, in a file of 100,000 lines, without slowing down', () => {
  const file = given('aaaaaaaaaaaaaaaaaaaa\n'.repeat(100_000))
  const issues = Array.from({ length: 20 }, (_, i) =>
    draft({ existingCode: `${'a'.repeat(20)} `.repeat(300 + i) + 'b' }),
  )
  const started = performance.now()
  expect(groundIssues(issues, [file], '/repo').refuted).toHaveLength(20)
  expect(performance.now() - started).toBeLessThan(10_000)
})
