import type { ReviewDraft } from '../../contracts/review-answers.js'
import { findingKind } from '../../rules/review/finding-kinds.js'
import type { RawFinding } from './raw-finding.js'

/** Lines that are quoted of a finding: what comes after them is the finding's, too, but need not be read to see it. */
const MOST_LINES = 12

/**
 * Turns an analyser's finding into a reviewer's issue: the lines it is about, what it means, and advice in code form (the lines with what to do as a
 * comment above them). Null when it is about no line with text. Of a secret only what stands before it is quoted.
 */
export function draftFinding(finding: RawFinding, source: string, lines: readonly string[]): ReviewDraft | null {
  const quoted = quotationOf(finding, lines)
  if (quoted.trim() === '') return null
  const kind = findingKind(finding.rule)
  const said = finding.message === '' ? '' : `${sentence(finding.message)} `
  return {
    id: null,
    relevantFile: finding.path,
    existingCode: quoted,
    suggestionContent: `${said}${kind.why} Instead: ${kind.instead}.`,
    improvedCode: `${commentOf(finding.path, quoted, kind.instead)}\n${quoted}`,
    label: kind.label,
    suggestionLine: finding.line,
    severity: finding.severity ?? kind.severity,
    rule: finding.rule,
    isAdvice: true,
    source,
  }
}

function quotationOf({ line, endLine, secret }: RawFinding, lines: readonly string[]): string {
  if (secret !== undefined) return besideSecret(lines[line - 1] ?? '', secret)
  const last = Math.min(endLine, line + MOST_LINES - 1)
  return lines
    .slice(line - 1, last)
    .map((text) => text.replace(/\r$/, ''))
    .join('\n')
}

/** What stands before it in its line, else what stands behind; a line that is nothing else gives its first letters. */
function besideSecret(line: string, { from, to }: { from: number; to: number }): string {
  const [before, after] = [line.slice(0, from), line.slice(to)]
  if (/\w/.test(before)) return before
  return /\w/.test(after) ? after : line.trim().slice(0, 4)
}

function sentence(text: string): string {
  const trimmed = text.trim().replaceAll(/\s+/g, ' ').slice(0, 600)
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`
}

function commentOf(path: string, quoted: string, text: string): string {
  const indent = /^[ \t]*/.exec(quoted)?.[0] ?? ''
  const mark = HASH.test(path) ? '#' : '//'
  return `${indent}${mark} ${text[0]?.toUpperCase() ?? ''}${text.slice(1)}.`
}

const HASH =
  /\.(?:pyi?|rb|sh|bash|ya?ml|toml|ini|cfg|conf|env|pl|r|tf|properties)$|(?:^|\/)(?:Dockerfile|Makefile|\.env[^/]*)$/
