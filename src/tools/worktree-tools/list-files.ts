import { z } from 'zod'
import { defineTool } from './tool-place.js'
import { walkInside, type Found } from './walk-inside.js'

export const listFiles = defineTool({
  name: 'list',
  description:
    'Lists files and folders of the worktree, nearest first, at most 1000. Dependencies and git data are left out.',
  input: z.strictObject({ path: z.string().default('.').describe('folder, relative to the worktree') }),
  async use({ root }, { path }) {
    const lines: string[] = []
    for await (const found of walkInside(root, path)) {
      if (lines.length === maxLines) return [...lines, '[more left out: list a folder below]'].join('\n')
      lines.push(lineOf(found))
    }
    return lines.length === 0 ? '[empty]' : lines.join('\n')
  },
})

const maxLines = 1000
const marks = { file: '', folder: '/', link: ' (link)', other: ' (no regular file)' } satisfies Record<
  Found['kind'],
  string
>

function lineOf({ path, kind }: Found): string {
  return `${plainName(path)}${marks[kind]}`
}

/** A name with a line break in it must not look like two files. */
export function plainName(path: string): string {
  const isPlain = !Array.from(path).some((character) => character.charCodeAt(0) < 32)
  return isPlain ? path : JSON.stringify(path)
}
