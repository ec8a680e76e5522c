import { randomWords, shuffled } from './random.js'

/** What one judge is shown in one asking: candidates by place in the run's list, in order, each under its label. */
export interface View {
  order: readonly number[]
  labels: readonly string[]
}

export interface ViewOrder {
  seed: number
  judge: string
  /** 'screening', 'revote', 'runoff': each has orders of its own. */
  purpose: string
  /** True for the second asking: the same order, turned around. */
  isTurned: boolean
  /** Places of those who are shown. */
  shown: readonly number[]
  /** Of all candidates. */
  names: readonly string[]
  isBlind: boolean
  isShuffled: boolean
}

/** The view follows from the recorded seed alone. Letters stand for places in the order, so each judge's "A" is somebody else. */
export function viewFor(order: ViewOrder): View {
  const { seed, judge, purpose, isTurned, shown, names, isBlind, isShuffled } = order
  const first = isShuffled ? shuffled(shown, randomWords(seed, `order/${purpose}/${judge}`)) : [...shown]
  const turned = isTurned ? first.toReversed() : first
  return { order: turned, labels: turned.map((candidate, at) => (isBlind ? letterOf(at) : (names[candidate] ?? ''))) }
}

/** A, B, … Z, AA, AB, … */
export function letterOf(place: number): string {
  const rest = Math.floor(place / 26)
  return (rest === 0 ? '' : letterOf(rest - 1)) + String.fromCharCode(65 + (place % 26))
}

/** The candidate behind a label, or null when this judge was shown none of that name. */
export function candidateOf({ order, labels }: View, label: string): number | null {
  return order[labels.indexOf(label.trim())] ?? null
}
