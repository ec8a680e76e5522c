import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findJsonComplaint } from '../../src/rules/json-complaint.js'

describe('what a parser would overlook or could not name', () => {
  it.each([
    ['a dimension twice', '{"security_result": {}, "security_result": {}}', 'security_result', 'it twice'],
    ['a key twice within a list', '{"a": [{}, {"b": 1, "c": {}, "b": 2}]}', 'a.1.b', 'it twice'],
    ['a key written in two ways', '{"ab": 1, "\\u0061b": 2}', 'ab', 'it twice'],
    ['a key whose name is special', '{"__proto__": 1, "__proto__": 2}', '__proto__', 'it twice'],
    ['NaN', '{"security_result": {"passed": true, "score": NaN}}', 'security_result.score', 'NaN'],
    ['Infinity', '{"a": [1, -Infinity]}', 'a.1', '-Infinity'],
    ['a number beyond all bounds', '{"a": 1e999}', 'a', '1e999'],
    ['a bare word', '[nothing]', '0', 'nothing'],
    ['nesting without end', '['.repeat(70), '0.0.0.0.0.0.0.0', 'more'],
  ])('%s', (_, text, field, came) => {
    expect(findJsonComplaint(text)).toMatchObject({ field, came })
  })

  it.each([
    ['the same key in two objects', '[{"a": 1}, {"a": 1}, {"b": {"a": 1}, "a": 2}]'],
    ['a string that looks like keys', '{"a": "\\"a\\": 1, NaN {", "b": "{\\\\"}'],
    ['equal values', '{"a": "a", "b": "a"}'],
    ['words that only look special', '{"constructor": 1, "toString": true, "x": null, "y": false}'],
    ['64 levels', '['.repeat(64) + ']'.repeat(64)],
    ['an empty text, which is the parser’s to refuse', ''],
    ['a string without an end, too', '{"a": "b'],
    ['closing marks without an opening one, too', ']}]'],
  ])('has nothing against %s', (_, text) => {
    expect(findJsonComplaint(text)).toBeNull()
  })

  it('has nothing against any document that was written by a program', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.constantFrom(0, 2), (value, indent) => {
        expect(findJsonComplaint(JSON.stringify(value, null, indent))).toBeNull()
      }),
    )
  })

  it('finds any key that is there twice', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 8 }), fc.nat(), (keys, pick) => {
        const again = [...keys, keys[pick % keys.length] ?? '']
        const text = `{${again.map((key) => `${JSON.stringify(key)}: 0`).join(',')}}`
        expect(findJsonComplaint(text)?.came).toBe('it twice')
      }),
    )
  })

  it.each([
    ['one long string', (size: number) => `"${'a'.repeat(size)}"`],
    ['one long string of escapes, without an end', (size: number) => `"${'\\"'.repeat(size / 2)}`],
    ['one long word', (size: number) => '1'.repeat(size)],
    ['blanks', (size: number) => ' '.repeat(size)],
  ])('reads ten million characters of %s without running out of stack or time', (_, make) => {
    const start = performance.now()
    findJsonComplaint(make(10_000_000))
    expect(performance.now() - start).toBeLessThan(10_000)
  })
})
