/** Judges keep their seats: one that fails leaves its seat empty, unless a spare takes it. Empty seats count in every denominator. */

/** A judge that gave no answer in a round, after it was tried again. */
export interface Loss {
  round: number
  judge: string
  /** 'Tool.TimedOut: …' */
  why: string
  /** Who took the seat, or null. */
  replacedBy: string | null
}

/** More than half of the seats. */
export function quorumOf(seats: number): number {
  return Math.floor(seats / 2) + 1
}

export function hasQuorum(answered: number, seats: number): boolean {
  return answered >= quorumOf(seats)
}

/** The first spare that has not been called yet and is not lost itself. */
export function nextSpare(spares: readonly { name: string }[], called: readonly string[]): string | null {
  return spares.find(({ name }) => !called.includes(name))?.name ?? null
}
