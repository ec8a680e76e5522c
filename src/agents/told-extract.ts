import type { CoderAnswer } from '../contracts/phase-answers.js'
import type { ToldExtract } from '../contracts/phase-roles.js'
import { cutToBytes } from '../rules/phase/byte-length.js'
import { oneLine } from '../rules/phase/context-markdown.js'

type Told = Omit<CoderAnswer, 'files'>

/** What history keeps of what a tester or coder tells: some of each, each one line cut to size, so that the whole is under 16 KB. */
export function toldExtract(told: Told, files: readonly { file: string; purpose: string }[]): ToldExtract {
  const { blocked = null, decisions = [], suggestions = [] } = told
  return {
    summary: line(told.summary, 400),
    decisions: decisions.slice(0, 4).map(({ description, reason, impact }) => ({
      description: line(description),
      reason: line(reason),
      impact: line(impact),
    })),
    suggestions: suggestions.slice(0, 4).map((each) => ({ suggestion: line(each.suggestion), for: each.for })),
    files: files.slice(0, 12).map(({ file, purpose }) => ({ file: line(file), purpose: line(purpose, 120) })),
    blocked: blocked && {
      type: blocked.type,
      reason: line(blocked.reason, 400),
      missingInfo: blocked.missingInfo.slice(0, 3).map((each) => line(each)),
    },
  }
}

function line(text: string, maxBytes = 250): string {
  return cutToBytes(oneLine(text), maxBytes)
}
