import { z } from 'zod'
import { Failure } from '../../contracts/failures.js'
import { plainName } from './list-files.js'
import { readInside } from './text-inside.js'
import { defineTool } from './tool-place.js'
import { walkInside } from './walk-inside.js'

/** Plain text, because a regular expression of a model's could keep this process busy for ever. */
export const searchText = defineTool({
  name: 'search',
  description:
    'Finds lines that hold a plain text (no regular expression) in the text files of the worktree: "path:line: text", at most 200.',
  input: z.strictObject({
    text: z.string().min(1).max(500),
    path: z.string().default('.').describe('file or folder to look in'),
    ignore_case: z.boolean().default(false),
  }),
  async use({ root }, { text, path, ignore_case: isCaseless }) {
    const fold = (line: string) => (isCaseless ? line.toLowerCase() : line)
    const deadline = performance.now() + maxMs
    const found: string[] = []
    for await (const file of filesOf(root, path)) {
      const lines = linesOf(await textOf(root, file))
      const hits = lines.flatMap((line, index) =>
        fold(line).includes(fold(text)) ? [`${plainName(file)}:${index + 1}: ${line.trim().slice(0, maxWidth)}`] : [],
      )
      found.push(...hits.slice(0, maxHits + 1 - found.length))
      if (found.length > maxHits) return [...found.slice(0, maxHits), '[more left out]'].join('\n')
      if (performance.now() > deadline) return [...found, '[stopped: the search took too long]'].join('\n')
    }
    return found.length === 0 ? '[not found]' : found.join('\n')
  },
})

const maxHits = 200
const maxWidth = 300
const maxMs = 10_000

async function* filesOf(root: string, path: string): AsyncGenerator<string> {
  let isFolder = false
  for await (const { path: file, kind } of walkInside(root, path)) {
    isFolder = true
    if (kind === 'file') yield file
  }
  if (!isFolder) yield path
}

/** Null for what is no text, too large, or gone meanwhile: a search passes over it. */
async function textOf(root: string, file: string): Promise<string | null> {
  try {
    return await readInside(root, file)
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

function linesOf(text: string | null): string[] {
  return text === null ? [] : text.split('\n')
}
