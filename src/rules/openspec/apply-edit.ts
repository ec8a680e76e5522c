import type { OpenSpecEdit } from '../../contracts/openspec.js'
import { tickTask } from './tasks.js'
import { writeContext } from './write-context.js'

/**
 * The file with what a run wants in it; applied again, it changes nothing more.
 * @returns the text as it was and the end of a line that begins with the file's name, where the file takes no edit
 */
export function applyEdit(text: string, edit: OpenSpecEdit): { text: string; complaint: string | null } {
  switch (edit.kind) {
    case 'context':
      return writeContext(text, edit)
    case 'tick': {
      const { text: ticked, complaint } = tickTask(text, edit.task)
      return { text: ticked, complaint }
    }
    default: {
      const unknown: never = edit
      throw new Error(`unknown edit ${JSON.stringify(unknown)}`)
    }
  }
}
