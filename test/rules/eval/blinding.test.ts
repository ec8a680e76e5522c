import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { candidateOf, letterOf, viewFor, type ViewOrder } from '../../../src/rules/eval/blinding.js'

const order = (rest: Partial<ViewOrder> = {}): ViewOrder => ({
  seed: 7,
  judge: 'ada',
  purpose: 'screening',
  isTurned: false,
  shown: [0, 1, 2, 3, 4],
  names: ['one', 'two', 'three', 'four', 'five'],
  isBlind: true,
  isShuffled: true,
  ...rest,
})

describe('letters', () => {
  it.each([
    [0, 'A'],
    [25, 'Z'],
    [26, 'AA'],
    [51, 'AZ'],
    [52, 'BA'],
    [701, 'ZZ'],
    [702, 'AAA'],
  ])('of place %d are %s', (place, letters) => {
    expect(letterOf(place)).toBe(letters)
  })

  it('are all different', () => {
    expect(new Set(Array.from({ length: 2000 }, (_, place) => letterOf(place))).size).toBe(2000)
  })
})

describe('a judge’s view', () => {
  it('shows everybody once, by letters in the order shown', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0 }), fc.string(), fc.uniqueArray(fc.nat(49)), (seed, judge, shown) => {
        const view = viewFor(order({ seed, judge, shown }))
        expect([...view.order].sort()).toEqual([...shown].sort())
        expect(view.labels).toEqual(shown.map((_, place) => letterOf(place)))
        for (const candidate of shown)
          expect(candidateOf(view, view.labels[view.order.indexOf(candidate)] ?? '')).toBe(candidate)
      }),
    )
  })

  it('follows from the seed, and differs from judge to judge and from round to round', () => {
    expect(viewFor(order())).toEqual(viewFor(order()))
    const orders = [
      order(),
      order({ judge: 'ben' }),
      order({ judge: 'cleo' }),
      order({ purpose: 'revote' }),
      order({ seed: 8 }),
    ].map((each) => String(viewFor(each).order))
    expect(new Set(orders).size).toBe(5)
  })

  it('is the same order turned around in the second asking, with the letters where they were', () => {
    const [first, second] = [viewFor(order()), viewFor(order({ isTurned: true }))]
    expect(second.order).toEqual(first.order.toReversed())
    expect(second.labels).toEqual(first.labels)
  })

  it('has the names where nothing is blinded, the given order where nothing is shuffled', () => {
    const view = viewFor(order({ isBlind: false, isShuffled: false, shown: [3, 1] }))
    expect(view).toEqual({ order: [3, 1], labels: ['four', 'two'] })
  })

  it('knows no label that was not shown', () => {
    expect(candidateOf(viewFor(order()), 'F')).toBeNull()
    expect(candidateOf(viewFor(order()), ' A ')).toBe(viewFor(order()).order[0])
  })
})
