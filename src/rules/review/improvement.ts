import { plainSpaces } from './quotation-index.js'

/** Languages in which blanks at the start of a line mean something. */
const INDENTED = /\.(?:py|pyi|ya?ml|haml|slim|pug|coffee|nim|fs|hs|md|rst)$|(?:^|\/)(?:Makefile|makefile|GNUmakefile)$/

/** True when the improved code differs from the existing by more than white space; where indentation means something, that counts too. */
export function isImproved(existing: string, improved: string, path: string): boolean {
  if (plainSpaces(improved) === '') return false
  if (plainSpaces(existing) !== plainSpaces(improved)) return true
  return INDENTED.test(path) && shapeOf(existing) !== shapeOf(improved)
}

/** Lines with their indentation against the first, which quotations lose together. */
function shapeOf(code: string): string {
  const lines = code.split('\n').filter((line) => line.trim() !== '')
  const first = indentOf(lines[0] ?? '')
  return lines.map((line) => `${indentOf(line) - first}:${plainSpaces(line)}`).join('\n')
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}
