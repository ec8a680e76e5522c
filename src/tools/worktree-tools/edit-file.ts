import { z } from 'zod'
import { Failure } from '../../contracts/failures.js'
import { pathInside, removeInside } from './open-inside.js'
import { readInside, writeInside } from './text-inside.js'
import { defineTool, type ToolPlace } from './tool-place.js'

export const editFile = defineTool({
  name: 'edit',
  description:
    'Changes a text file of the worktree. With old_text: replaces that text, which must occur exactly once. Without: writes the ' +
    'whole file, made where it is not. new_text null removes the file.',
  input: z.strictObject({
    path: z.string().describe('relative to the worktree'),
    old_text: z.string().min(1).optional(),
    new_text: z.string().nullable(),
  }),
  async use(place, { path, old_text: old, new_text: text }) {
    await checkUnprotected(place, path)
    if (text === null) {
      await removeInside(place.root, path)
      return 'removed'
    }
    await writeInside(place.root, path, old === undefined ? text : await replaced(place.root, { path, old, text }))
    return 'written'
  },
})

/** Throws `Failure('Contract.Violated')` for a file that this agent may not change, also when a link leads to it. */
export async function checkUnprotected(place: Pick<ToolPlace, 'root' | 'protected'>, path: string): Promise<void> {
  const inside = await pathInside(place.root, path)
  if (place.protected.includes(inside))
    throw new Failure(
      'Contract.Violated',
      `${JSON.stringify(inside.slice(0, 200))} is protected: it may not be changed`,
    )
}

async function replaced(root: string, edit: { path: string; old: string; text: string }): Promise<string> {
  const parts = (await readInside(root, edit.path)).split(edit.old)
  if (parts.length === 2) return parts.join(edit.text)
  const times = parts.length === 1 ? 'does not occur' : `occurs ${parts.length - 1} times, expected once`
  throw new Failure('Contract.Violated', `old_text ${times} in ${JSON.stringify(edit.path.slice(0, 200))}`)
}
