import type { SourceLanguage } from '../../contracts/circt.js'
import { isBlank, tokenise } from './tokens.js'

export interface SourceSize {
  /** Lines that are not blank. */
  lines: number
  /** Of UTF-8. */
  bytes: number
  tokens: number
}

/** How big a source is, in the three measures that the report shows. */
export function sourceSize(text: string, language: SourceLanguage): SourceSize {
  return {
    lines: lineCount(text),
    bytes: new TextEncoder().encode(text).length,
    tokens: tokenise(text, language).filter((token) => !isBlank(token)).length,
  }
}

/** Lines that are not blank. */
export function lineCount(text: string): number {
  return text.split('\n').filter((line) => line.trim() !== '').length
}

/** How much smaller `after` is than `before`, percent with one decimal, half up; negative when it grew, 0 for nothing to begin with. */
export function reductionPercent(before: number, after: number): number {
  return before === 0 ? 0 : Math.floor((1 - after / before) * 1000 + 0.5) / 10
}
