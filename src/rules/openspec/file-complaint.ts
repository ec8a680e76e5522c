import type { MarkdownLook } from './markdown-lines.js'

/** Why nothing can be written into a file without spoiling it, as the end of a line that begins with its name; null when all is well. */
export function fileComplaint({ lines, open }: MarkdownLook): string | null {
  const conflict = lines.findIndex(({ text, kind }) => kind !== 'code' && /^(<{7}|>{7})( |$)/.test(text))
  if (conflict >= 0) return `line ${conflict + 1}: expected no merge conflict, found its marks`
  if (open === 'code') return 'expected every code block to be closed, found one that is open at the end'
  return open === 'comment' ? 'expected every comment to be closed, found one that is open at the end' : null
}
