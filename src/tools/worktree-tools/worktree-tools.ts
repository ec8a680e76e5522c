import type { Ability } from '../../contracts/agent.js'
import { editFile } from './edit-file.js'
import { listFiles } from './list-files.js'
import { readFile } from './read-file.js'
import { runCommand } from './run-command.js'
import { searchText } from './search-text.js'
import type { WorktreeTool } from './tool-place.js'

const reading: readonly WorktreeTool[] = [listFiles, readFile, searchText]

const byAbility = {
  none: [],
  read: reading,
  edit: [...reading, editFile],
  run: [...reading, editFile, runCommand],
} satisfies Record<Ability, readonly WorktreeTool[]>

/** What a model may have done in a worktree, by its role's ability. */
export function worktreeTools(ability: Ability): readonly WorktreeTool[] {
  return byAbility[ability]
}
