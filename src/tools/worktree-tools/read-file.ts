import { z } from 'zod'
import { readInside } from './text-inside.js'
import { clipped, defineTool, maxResultBytes } from './tool-place.js'

export const readFile = defineTool({
  name: 'read',
  description: `Reads a text file of the worktree, at most ${maxResultBytes / 1024} KB at once: ask for lines of a larger one.`,
  input: z.strictObject({
    path: z.string().describe('relative to the worktree'),
    from_line: z.int().min(1).default(1),
    lines: z.int().min(1).max(5000).default(1000),
  }),
  async use({ root }, { path, from_line: from, lines: count }) {
    const lines = (await readInside(root, path)).split('\n')
    const last = Math.min(lines.length, from + count - 1)
    const text = clipped(lines.slice(from - 1, last).join('\n'))
    return from === 1 && last === lines.length ? text : `[lines ${from} to ${last} of ${lines.length}]\n${text}`
  },
})
