import { tauB } from './kendall.js'
import { meanOf, type ScoreRow } from './ranks.js'

export interface LengthBias {
  /** -1 to 1: how far the scores follow the candidates' length; null where that is not defined. */
  tau: number | null
  /** The mean of the other judges' taus: long candidates may simply be better. */
  othersTau: number | null
  prefers: 'longer' | 'shorter' | null
}

/** Per judge. `lengths` are the bytes of the candidates. */
export function lengthBias(rows: readonly ScoreRow[], lengths: readonly number[]): LengthBias[] {
  const taus = rows.map((row) => tauB(lengths, row))
  return taus.map((tau, at) => {
    const othersTau = meanOf(taus.filter((other, place) => place !== at && other !== null).map((other) => other ?? 0))
    return { tau, othersTau, prefers: preference(tau, othersTau ?? 0) }
  })
}

/** Strong by itself, and not just what everybody sees. */
function preference(tau: number | null, others: number): LengthBias['prefers'] {
  if (tau === null) return null
  if (tau >= STRONG && tau - others >= APART) return 'longer'
  return tau <= -STRONG && others - tau >= APART ? 'shorter' : null
}

const STRONG = 0.7
const APART = 0.4
