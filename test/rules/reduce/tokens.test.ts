import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isBlank, joinTokens, tokenise } from '../../../src/rules/reduce/tokens.js'
import { anySource, LANGUAGES } from './sources.js'

describe.each(LANGUAGES)('tokens of .%s', (language) => {
  it('give the source back byte for byte', () => {
    fc.assert(
      fc.property(anySource, (text) => {
        expect(joinTokens(tokenise(text, language))).toBe(text)
      }),
    )
  })
})

describe('a token', () => {
  it.each([
    ['sv', "assign y = a ==? 4'bx1; // c", ['assign', 'y', '=', 'a', '==?', "4'bx1", ';']],
    ['sv', '`timescale 1ns / 1ps\nx', ['`timescale 1ns / 1ps', 'x']],
    ['fir', 'connect a.b, add(c, UInt<8>(1)) ; c', 'connect a . b , add ( c , UInt < 8 > ( 1 ) )'.split(' ')],
    ['fir', 'o <= pad(s, 8) @[A.scala 1:2]', 'o <= pad ( s , 8 )'.split(' ')],
    [
      'mlir',
      '%0:2 = hw.x %c-1_i3, @"a b" : (i1) -> !moore.l1',
      ['%0:2', '=', 'hw.x', '%c-1_i3', ',', '@"a b"', ':', '(', 'i1', ')', '->', '!moore.l1'],
    ],
  ] as const)('of .%s stands for itself: %s', (language, text, expected) => {
    const words = tokenise(text, language).filter((token) => !isBlank(token))
    expect(words.map((token) => token.text)).toEqual(expected)
  })
})
