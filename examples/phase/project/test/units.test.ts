import { describe, expect, it } from 'vitest'
import { isUnit, SECONDS_IN } from '../src/units.js'

describe('units', () => {
  it('an hour has sixty minutes', () => {
    expect(SECONDS_IN.h).toBe(60 * SECONDS_IN.m)
  })

  it.each(['d', 'h', 'm', 's'])('%s is a unit', (letter) => {
    expect(isUnit(letter)).toBe(true)
  })

  it.each(['', 'x', 'toString'])('%j is none', (text) => {
    expect(isUnit(text)).toBe(false)
  })
})
