import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RunKey } from '../../src/contracts/run.js'
import { canonicalJson } from '../../src/rules/cli-canonical-json.js'
import { keyFromName } from '../../src/rules/cli-key.js'

describe('keyFromName', () => {
  it.each([
    ['my-crash', 'my-crash'],
    ['8863 concat/extract', '8863-concat-extract'],
    ['.hidden', 'hidden'],
    ['崩溃', 'case'],
    ['..', 'case'],
    ['a\nb', 'a-b'],
  ])('%j makes %j', (name, key) => {
    expect(keyFromName(name)).toBe(key)
  })

  it('always makes a key that fits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        expect(RunKey.safeParse(keyFromName(name)).success).toBe(true)
      }),
    )
  })
})

describe('canonicalJson', () => {
  it('is the same for equal values, whatever the order of their keys', () => {
    expect(canonicalJson({ b: [{ d: 1, c: null }], a: 'x' })).toBe('{"a":"x","b":[{"c":null,"d":1}]}')
  })

  it('reads back as the value it was made of', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})
