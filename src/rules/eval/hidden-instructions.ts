import { plainLine } from '../cli-progress.js'
import { medianOf, type ScoreRow } from './ranks.js'

/** Places of a text that speak to whoever judges it, each as one line; at most five. Words prove nothing: see `followers`. */
export function findInstructions(text: string): string[] {
  const found = PHRASES.flatMap((phrase) => [...text.matchAll(phrase)].map(({ index }) => index))
  const apart: number[] = []
  for (const place of found.sort((a, b) => a - b)) {
    if (place >= (apart.at(-1) ?? -EXCERPT) + EXCERPT) apart.push(place)
  }
  return apart.slice(0, 5).map((place) => plainLine(text.slice(place, place + EXCERPT)))
}

const EXCERPT = 160

const PHRASES = [
  /\b(?:ignore|disregard|forget)\s+(?:all\s+|any\s+)?(?:of\s+)?(?:the\s+|your\s+)?(?:previous|above|prior|earlier|other)\s+(?:instructions?|prompts?|rules|text|candidates?|criteria)/gi,
  /\b(?:note|message|instructions?|attention)\s*(?:to|for|:)\s*(?:the\s+|all\s+|any\s+)?(?:judges?|evaluators?|reviewers?|graders?|screeners?|ai|llms?|models?|assistants?)\b/gi,
  /\b(?:rate|score|rank|grade|mark)\s+(?:this|it|me|mine|us)\b[^.\n]{0,60}\b(?:10|ten|highest|best|first|top|full)\b/gi,
  /\bgive\s+(?:this|it|me|us)\b[^.\n]{0,60}\b(?:10|ten|highest|best|top|full)\s*(?:score|marks?|points|rating|\/)?/gi,
  /\b(?:vote|decide)\s+(?:for\s+this|against\s+(?:the\s+)?others?)\b/gi,
  /\beliminate\s+(?:the\s+)?(?:other|any other|every other|candidate)\b/gi,
  /<\/?\s*(?:system|assistant|instructions?)\s*>/gi,
  /(?:忽略|无视)(?:之前|以上|上述|前面)[^。\n]{0,12}(?:指令|提示|说明|要求|内容)/g,
  /(?:给|打)[^。\n]{0,8}(?:最高分|满分|10\s*分|十分)/g,
] as const

export interface Follower {
  judge: number
  candidate: number
  /** By how much this judge rates the candidate above the median of the others. */
  lift: number
}

/** Judges that rate a candidate which speaks to them this much better than the rest of the jury does. Needs three judges of it. */
export function followers(rows: readonly ScoreRow[], suspicious: readonly number[]): Follower[] {
  return suspicious.flatMap((candidate) =>
    rows.flatMap((row, judge) => {
      const own = row[candidate] ?? null
      const others = rows.flatMap((other, at) => (at === judge ? [] : (other[candidate] ?? [])))
      const median = others.length < 2 ? null : medianOf(others)
      const lift = own === null || median === null ? 0 : own - median
      return lift >= PLAIN_LIFT ? [{ judge, candidate, lift }] : []
    }),
  )
}

const PLAIN_LIFT = 3
