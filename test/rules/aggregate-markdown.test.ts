import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quoteName, quoteText } from '../../src/rules/aggregate-markdown.js'

const text = (value: string) => quoteText(value, '     ')

describe('what a reviewer wrote', () => {
  it.each([
    ['plain words', 'use bound parameters', 'use bound parameters'],
    ['names with underscores', 'call find_user_by_id', 'call find_user_by_id'],
    ['SQL and comparisons', 'SELECT * FROM a WHERE 1 < 2 && b > c', 'SELECT * FROM a WHERE 1 < 2 && b > c'],
    ['a code span', 'the `a * b*` is *bold*', 'the `a * b*` is \\*bold\\*'],
    ['an open backtick', 'a ` b', 'a \\` b'],
    ['a tag', '<img src=x onerror=y> List<String>', '\\<img src=x onerror=y> List\\<String>'],
    ['a link', '[click](javascript:x) ![p](q)', '\\[click](javascript:x) !\\[p](q)'],
    ['dunder names', '__init__ and _x_', '\\_\\_init\\_\\_ and \\_x\\_'],
    ['an entity', '&lt;b&gt; a & b', '\\&lt;b\\&gt; a & b'],
    ['terminal colours and marks that turn the text', '\u001b[31mred\u001b[0m \u202egnp', 'red gnp'],
    ['a backslash', 'C:\\temp', 'C:\\\\temp'],
  ])('%s', (_, said, shown) => {
    expect(text(said)).toBe(` ${shown}`)
  })

  it('of several lines is a code block of its own, longer fenced than anything in it', () => {
    expect(text('a:\n```\n## heading\n```')).toBe(
      '\n     ````\n     a:\n     ```\n     ## heading\n     ```\n     ````',
    )
  })

  it('is left out where it shows nothing', () => {
    for (const empty of ['', '  \n ', '\u200b', '\u0007']) expect(text(empty)).toBe('')
  })

  it('is cut when it is long, in one line and in many', () => {
    expect(text('x'.repeat(20_000)).length).toBeLessThan(1600)
    expect(text('😀'.repeat(10_000))).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/)
    const lines = text('a line\n'.repeat(1000)).split('\n')
    expect(lines.length).toBeLessThan(30)
    expect(lines.at(-2)).toBe('     …')
  })

  it('never begins a line of its own outside a fence, whatever it says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (said) => {
        const [first, fence, ...rest] = text(said).split('\n')
        if (fence === undefined) return
        expect(first).toBe('')
        expect(fence.trim()).toMatch(/^`{3,}$/)
        expect(rest.at(-1)).toBe(fence)
        expect(rest.slice(0, -1).every((line) => line.trim() !== fence.trim())).toBe(true)
      }),
    )
  })
})

describe('a type or path', () => {
  it.each([
    ['SQL_INJECTION', 'SQL_INJECTION'],
    ['SQL 注入', 'SQL 注入'],
    ['src/db.py', 'src/db.py'],
    ['C:\\x\\y.cs', '`C:\\x\\y.cs`'],
    ['src/__init__.py', '`src/__init__.py`'],
    ['a/*b*/<c>.js', '`a/*b*/<c>.js`'],
    ['x**\n## y', '`x** ## y`'],
    ['a`b', '``a`b``'],
    ['  ', '` `'],
  ])('%j is shown as %s', (name, shown) => {
    expect(quoteName(name)).toBe(shown)
  })

  it('is cut when it is long', () => {
    expect(quoteName('a'.repeat(1000)).length).toBeLessThan(310)
  })
})
