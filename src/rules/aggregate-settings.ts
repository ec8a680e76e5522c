import type { OwnThresholds, Preset, Thresholds, Weights } from '../contracts/aggregate.js'

/** By what a round is judged. */
export interface AggregateSettings {
  thresholds: Thresholds
  weights: Weights
}

/** What a caller, or a document, asks for; what is missing comes from the preset. */
export interface WantedSettings {
  preset?: Preset | undefined
  thresholds?: OwnThresholds | undefined
  weights?: Weights | undefined
}

/** Seed 000 (`standard`) and its project's other two: minima, High at most, rounds, points of progress, weights. */
export const PRESETS = {
  standard: preset([85, 80, 80, 80], { high: 2, rounds: 5, stall: 5 }, [0.4, 0.35, 0.25]),
  strict: preset([95, 90, 85, 90], { high: 0, rounds: 7, stall: 3 }, [0.5, 0.3, 0.2]),
  mvp: preset([75, 70, 70, 70], { high: 5, rounds: 3, stall: 8 }, [0.35, 0.35, 0.3]),
} as const satisfies Record<Preset, AggregateSettings>

/** First what the call asks for, then the preset it names, then what the document asks for, then the document's preset, then `standard`. */
export function resolveSettings(call: WantedSettings, document: WantedSettings): AggregateSettings {
  const base =
    call.preset === undefined ? layer(PRESETS[document.preset ?? 'standard'], document) : PRESETS[call.preset]
  return layer(base, call)
}

function layer(base: AggregateSettings, { thresholds = {}, weights }: WantedSettings): AggregateSettings {
  const own = Object.fromEntries(Object.entries(thresholds).filter(([, value]) => value !== undefined))
  return { thresholds: { ...base.thresholds, ...own }, weights: { ...(weights ?? base.weights) } }
}

/** Minima and weights in the order security, quality, performance; the fourth minimum is the overall score's. */
function preset(
  [security_min, quality_min, performance_min, overall_min]: [number, number, number, number],
  { high, rounds, stall }: { high: number; rounds: number; stall: number },
  [security, quality, performance]: [number, number, number],
): AggregateSettings {
  return {
    thresholds: {
      critical_max: 0,
      high_max: high,
      security_min,
      quality_min,
      performance_min,
      overall_min,
      max_iterations: rounds,
      stall_points: stall,
    },
    weights: { security, quality, performance },
  }
}
