import { describe, expect, it } from 'vitest'
import { ambiguousRepetition } from '../../../src/rules/review/ambiguous-repetition.js'

describe('a repetition that reads a text in two ways', () => {
  it.each([
    [String.raw`((\r\n|\r|\n)+) *$`, String.raw`(\r\n|\r|\n)+`],
    ['^(a|aa)+$', '(a|aa)+'],
    ['^(?:ab|a|b)*c', '(?:ab|a|b)*'],
    ['^(?<x>a|a)*b', '(?<x>a|a)*'],
    ['(01|10|0|101){2,};', '(01|10|0|101){2,}'],
    [String.raw`^(\.|\.\.)+/`, String.raw`(\.|\.\.)+`],
  ])('is found in %s', (pattern, group) => {
    expect(ambiguousRepetition(pattern)).toBe(group)
  })

  it.each([
    ['one way only', '^(a|b)+$'],
    ['one way only, longer', '^(ab|ba|bb)+c'],
    ['nothing behind it', String.raw`(?:\r\n|\r|\n)+`],
    ['nothing that can fail behind it', String.raw`((?:\r\n|\r|\n)+)[ \t]*`],
    ['an alternative behind it', String.raw`(?:\r\n|\r|\n)+|x`],
    ['once', String.raw`(\r\n|\r|\n)$`],
    ['a class', String.raw`(\d|1)+$`],
    ['no group', 'a+b+$'],
  ])('is not seen where there is %s: %s', (_, pattern) => {
    expect(ambiguousRepetition(pattern)).toBeNull()
  })

  it('is one where a short text has two readings, and nowhere else', () => {
    const words = ['a', 'b', 'aa', 'ab', 'ba', 'bb', 'aab', 'aba', 'abb', 'bab']
    const wrong = subsets(words).filter(
      (some) => (ambiguousRepetition(`^(${some.join('|')})+c`) !== null) !== hasTwoReadings(some),
    )
    expect(wrong).toEqual([])
  })

  it('takes no long time itself', () => {
    const started = performance.now()
    ambiguousRepetition(`${'('.repeat(20_000)}${'a|'.repeat(20_000)}`)
    ambiguousRepetition(`(${'ab|'.repeat(3_000)}c)+d`)
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})

/** All of two or three words. */
function subsets(words: readonly string[]): string[][] {
  const later = (index: number) => words.slice(index + 1)
  return words.flatMap((first, at) =>
    later(at).flatMap((second, next) => [
      [first, second],
      ...later(at + 1 + next).map((third) => [first, second, third]),
    ]),
  )
}

/** By trying every text of up to twelve letters that begins with a word. */
function hasTwoReadings(words: readonly string[]): boolean {
  const readings = new Map<string, number>([['', 1]])
  const texts = ['']
  for (const text of texts) {
    for (const word of words) {
      const longer = text + word
      if (longer.length > 12) continue
      if (!readings.has(longer)) texts.push(longer)
      readings.set(longer, (readings.get(longer) ?? 0) + 1)
    }
  }
  return [...readings.values()].some((count) => count > 1)
}
