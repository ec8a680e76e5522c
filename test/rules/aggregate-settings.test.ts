import { describe, expect, it } from 'vitest'
import { OwnThresholds, Thresholds, Weights } from '../../src/contracts/aggregate.js'
import { PRESETS, resolveSettings } from '../../src/rules/aggregate-settings.js'

describe('presets', () => {
  it.each(Object.entries(PRESETS))('%s fits the contract', (_, { thresholds, weights }) => {
    expect(Thresholds.parse(thresholds)).toEqual(thresholds)
    expect(Weights.parse(weights)).toEqual(weights)
  })

  it.each([
    ['standard', [85, 80, 80, 80], [2, 5, 5], [0.4, 0.35, 0.25]],
    ['strict', [95, 90, 85, 90], [0, 7, 3], [0.5, 0.3, 0.2]],
    ['mvp', [75, 70, 70, 70], [5, 3, 8], [0.35, 0.35, 0.3]],
  ] as const)('%s is as agreed', (name, minima, counts, weights) => {
    const { thresholds, weights: own } = PRESETS[name]
    const { security_min, quality_min, performance_min, overall_min } = thresholds
    expect([security_min, quality_min, performance_min, overall_min]).toEqual(minima)
    expect([thresholds.high_max, thresholds.max_iterations, thresholds.stall_points]).toEqual(counts)
    expect([own.security, own.quality, own.performance]).toEqual(weights)
    expect(thresholds.critical_max).toBe(0)
  })
})

describe('who decides about a threshold', () => {
  const high_max = (call: Parameters<typeof resolveSettings>[0], document: Parameters<typeof resolveSettings>[1]) =>
    resolveSettings(call, document).thresholds.high_max

  it.each([
    ['standard, when nobody says anything', {}, {}, 2],
    ["the document's preset", {}, { preset: 'mvp' }, 5],
    ["the document's own over its preset", {}, { preset: 'mvp', thresholds: { high_max: 1 } }, 1],
    ["the call's preset over all of the document", { preset: 'strict' }, { thresholds: { high_max: 1 } }, 0],
    ["the call's own over its preset", { preset: 'strict', thresholds: { high_max: 9 } }, {}, 9],
    ["the call's own over the document's", { thresholds: { high_max: 9 } }, { thresholds: { high_max: 1 } }, 9],
  ] as const)('%s', (_, call, document, expected) => {
    expect(high_max(call, document)).toBe(expected)
  })

  it('a field given as undefined leaves the preset as it is', () => {
    const thresholds = OwnThresholds.parse({ high_max: undefined })
    expect(high_max({ thresholds }, {})).toBe(2)
  })
})
