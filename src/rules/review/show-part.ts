import type { ReviewFile, ReviewPart } from '../../contracts/review-part.js'
import { hunksOfText } from './cut-hunks.js'

/** What an agent is shown of a part: every file with its lines, numbered as they are in the version under review. */
export function showPart({ files }: ReviewPart): string {
  return files.map(showFile).join('\n\n')
}

function showFile(file: ReviewFile): string {
  const { path, old_path, status, hunks, text } = file
  const head = `=== ${path} (${status === 'given' ? 'as it stands' : status}${old_path === null ? '' : `, was ${old_path}`})`
  const shown = status === 'given' && hunks.length === 0 ? hunksOfText(text ?? '') : hunks
  return [head, ...shown.map(showHunk)].join('\n')
}

/** A removed line has no number: it is not there any more. */
function showHunk({ newStart, newLines, section, lines }: ReviewFile['hunks'][number]): string {
  let number = newLines === 0 ? newStart + 1 : newStart
  const shown = lines.map((line) => {
    const label = line[0] === '-' ? '' : String(number++)
    return `${label.padStart(6)} ${line}`
  })
  return [`@@ from line ${newStart}${section === '' ? '' : `: ${section}`}`, ...shown].join('\n')
}
