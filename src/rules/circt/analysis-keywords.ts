import type { HypothesisClues } from './analysis-hypotheses.js'

export interface KeywordClues extends HypothesisClues {
  dialect: string | null
  passArgument: string | null
}

/**
 * Whole words to search issues with, best first, at most 30: the pass, CIRCT's own functions, operations of the message, constructs, the dialect,
 * other words of the message. No word is a single letter or a number.
 */
export function keywordsOf(clues: KeywordClues): string[] {
  const functions = [...clues.ownFrames, ...clues.frames].map(nameOf)
  const operations = [...(clues.message ?? '').matchAll(/'!?([a-z]\w{0,30}\.[\w.]{1,60})/g)].map(
    (match) => match[1] ?? '',
  )
  const candidates = [
    clues.failingPass,
    clues.passArgument,
    ...functions,
    ...operations,
    ...clues.keyConstructs.slice(0, 6),
    clues.dialect,
    ...(clues.message ?? '').split(/[^A-Za-z]+/).filter((word) => word.length > 4 && !COMMON.has(word.toLowerCase())),
  ]
  const words = candidates.flatMap((word) => (word === null ? [] : [word.slice(0, 80)]))
  return [...new Set(words)].filter((word) => /[A-Za-z]{2}/.test(word)).slice(0, 30)
}

/** `circt::comb::ExtractOp::canonicalize` → `ExtractOp::canonicalize`: a method says little without its class. */
function nameOf(frame: string): string {
  return frame
    .split('::')
    .slice(-2)
    .join('::')
    .replace(/^(?:mlir|llvm|circt|detail)::/, '')
}

const COMMON = new Set([
  'error',
  'failed',
  'operation',
  'operands',
  'expected',
  'requires',
  'which',
  'without',
  'should',
  'value',
  'values',
  'module',
])
