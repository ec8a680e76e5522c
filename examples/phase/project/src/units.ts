/** Seconds in each unit a time sheet may use, largest first. */
export const SECONDS_IN = { d: 86_400, h: 3_600, m: 60, s: 1 } as const

export type Unit = keyof typeof SECONDS_IN

/** True for the letters that stand for a unit. */
export function isUnit(text: string): text is Unit {
  return Object.hasOwn(SECONDS_IN, text)
}
