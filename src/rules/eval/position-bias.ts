import type { View } from './blinding.js'
import { tauB } from './kendall.js'
import { meanOf, type ScoreRow } from './ranks.js'

export interface PositionBias {
  /**
   * -1 to 1: how far the scores follow the place in the order, 1 when the first shown is always the best. The orders of the two askings are
   * each other's reverse, so what a candidate is worth cancels out and only the place remains. Null when all scores are level.
   */
  tau: number | null
  /** -1 to 1: how alike the two askings order the candidates; null where that is not defined. */
  consistency: number | null
  isSameVote: boolean
  prefers: 'first shown' | 'last shown' | null
}

/** One asking, as it was answered: scores by candidate. */
export interface Asking {
  view: View
  scores: ScoreRow
  eliminated: number | null
}

/** Compares two askings of one judge, the second with the order turned around. */
export function positionBias(first: Asking, second: Asking): PositionBias {
  const taus = [first, second].map(placeTau).filter((tau) => tau !== null)
  const tau = meanOf(taus)
  return {
    tau,
    consistency: tauB(first.scores, second.scores),
    isSameVote: first.eliminated === second.eliminated,
    prefers: preference(tau, [favouritePlace(first), favouritePlace(second)]),
  }
}

/** A judge that marks up only one of many has a small tau, however regularly it does so: its favourite's place shows it. */
function preference(tau: number | null, favourites: readonly (string | null)[]): PositionBias['prefers'] {
  if (favourites.every((place) => place === 'first') || (tau ?? 0) >= PLAIN_TAU) return 'first shown'
  return favourites.every((place) => place === 'last') || (tau ?? 0) <= -PLAIN_TAU ? 'last shown' : null
}

const PLAIN_TAU = 0.5

function shownScores({ view, scores }: Asking): (number | null)[] {
  return view.order.map((candidate) => scores[candidate] ?? null)
}

function placeTau(asking: Asking): number | null {
  const scores = shownScores(asking)
  return tauB(
    scores.map((_, place) => -place),
    scores,
  )
}

/** Where the only best one stood; null when several are best, or it stood in between. */
function favouritePlace(asking: Asking): 'first' | 'last' | null {
  const scores = shownScores(asking)
  const best = Math.max(...scores.map((score) => score ?? -Infinity))
  if (scores.filter((score) => score === best).length !== 1) return null
  const place = scores.indexOf(best)
  return place === 0 ? 'first' : place === scores.length - 1 ? 'last' : null
}
