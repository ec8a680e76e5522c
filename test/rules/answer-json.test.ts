import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answersIn, isTooDeep, MAX_ANSWER_DEPTH } from '../../src/rules/answer-json.js'

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

describe('documents in the words of an agent', () => {
  it.each([
    ['alone', '{"a":1}', [{ a: 1 }]],
    ['with blanks and a byte order mark', '\ufeff \n{"a":1}\n', [{ a: 1 }]],
    ['in a fence', '```json\n{"a":1}\n```', [{ a: 1 }]],
    ['in a fence of any case and length', '````JSON5\r\n[1, 2]\r\n````', [[1, 2]]],
    ['in prose', 'Here: {"a":1}. Done.', [{ a: 1 }]],
    ['in prose with brackets', 'As [you] said {so}: [see "x"] {"a":[{"b":"}"}]} ok', [{ a: [{ b: '}' }] }]],
    ['in brackets of prose', '[ {"a":1} and so on', [{ a: 1 }]],
    ['several', '{"a":1} then {"a":2}', [{ a: 1 }, { a: 2 }]],
    ['with quotes and brackets in strings', 'x {"a":"\\"]}{[\\\\"} y', [{ a: '"]}{[\\' }]],
    ['a bare value', '"yes"', ['yes']],
    ['a bare number', '7', [7]],
    ['after a bracket that begins nothing', '{ oops {"a":1}', [{ a: 1 }]],
    ['of every kind of value', 'x [null, true, -1.5e3, "s", {}, []] y', [[null, true, -1500, 's', {}, []]]],
  ])('are found %s', (_, text, documents) => {
    expect(answersIn(text).documents).toEqual(documents)
  })

  it.each([
    ['nothing', '', 'the answer is empty'],
    ['blanks', ' \n ', 'the answer is empty'],
    ['prose', 'I cannot do that.', 'no JSON document was found in the answer: "I cannot do that."'],
    ['half a document', '{"tasks":[{"id":"TASK-001"},{"id":"TA', 'is not complete'],
    ['a trailing comma', '{"tasks":[1,2,]}', 'is not valid JSON near "]}"'],
    ['a comment', '{"tasks": 1 // one\n}', 'is not valid JSON near "// one\\n}"'],
    ['single quotes', "Sure: {'a': 1}", 'no JSON document was found'],
    ['too many levels', nested(MAX_ANSWER_DEPTH + 1), 'more than 64 levels'],
    ['too many levels in prose', `x ${nested(MAX_ANSWER_DEPTH + 1)}`, 'more than 64 levels'],
  ])('are none in %s, and it says why', (_, text, complaint) => {
    const { documents, complaint: said } = answersIn(text)
    expect(documents).toEqual([])
    expect(said).toContain(complaint)
  })

  it('has 64 levels and no more', () => {
    expect(answersIn(nested(MAX_ANSWER_DEPTH)).complaint).toBeNull()
    expect(isTooDeep(JSON.parse(nested(MAX_ANSWER_DEPTH)))).toBe(false)
    expect(isTooDeep(JSON.parse(nested(MAX_ANSWER_DEPTH + 1)))).toBe(true)
  })

  it('a piece of a document that was cut off is no answer', () => {
    expect(answersIn('Good: {"a":1}\nNow {"tasks":[{"a":2},{"a":3}').documents).toEqual([{ a: 1 }])
  })

  it('finds any document in any prose without brackets', () => {
    const prose = fc.string().map((text) => text.replaceAll(/[{}[\]"]/g, ''))
    const document = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()))
    fc.assert(
      fc.property(prose, document, prose, (before, value, after) => {
        const text = JSON.stringify(value)
        fc.pre(!isTooDeep(JSON.parse(text)))
        expect(answersIn(`${before} ${text} ${after}`).documents).toContainEqual(JSON.parse(text))
      }),
    )
  })

  it.each([
    ['openings', '{[('.repeat(300_000)],
    ['quotes', '["'.repeat(500_000)],
    ['escapes', String.raw`["\"`.repeat(300_000)],
    ['numbers', `${'[1,'.repeat(60)}${'1,'.repeat(400_000)}`],
    ['keys', '{"a":'.repeat(300_000)],
    ['nearly lists', '[1,2 '.repeat(300_000)],
  ])('takes no longer than its length allows for a million %s', (_, text) => {
    const startedAt = performance.now()
    answersIn(text)
    expect(performance.now() - startedAt).toBeLessThan(4_000)
  })
})
