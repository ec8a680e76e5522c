/** What a task_id must not hold (pipelines.md, review 1): parts of paths and what shells read; only `:` is let through. */
const NOT_ALLOWED = /[^\p{L}\p{N}_.:-]/u

const LEAST = 10
/** Leaves room for `_content.json` in the 255 bytes of a file name, whatever the letters. */
const MOST_BYTES = 200

/** What is wrong with a task_id, as one line of what was expected; null when it is good. */
export function taskIdProblem(taskId: string): string | null {
  if (Array.from(taskId).length < LEAST) return `expected at least ${LEAST} characters`
  if (taskId.includes('..')) return 'expected no ".."'
  if (/^[.-]/.test(taskId)) return 'expected a letter, digit or underscore at the start'
  const stranger = NOT_ALLOWED.exec(taskId)
  if (stranger !== null)
    return `expected letters, digits and "_.:-" only, no path or shell characters (${JSON.stringify(stranger[0])})`
  if (utf8Length(taskId) > MOST_BYTES) return `expected at most ${MOST_BYTES} bytes`
  return null
}

/** The content file of a task, as the seed names it; what a task_id may hold is a file name. */
export function contentFileName(taskId: string): string {
  return `${taskId}_content.json`
}

function utf8Length(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + bytesOf(character.codePointAt(0) ?? 0), 0)
}

function bytesOf(codePoint: number): number {
  if (codePoint < 0x80) return 1
  if (codePoint < 0x800) return 2
  return codePoint < 0x1_00_00 ? 3 : 4
}
