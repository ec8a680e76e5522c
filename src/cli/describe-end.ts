import { exitCodeOfFailure, exitCodeOfRun } from '../rules/cli-exit-codes.js'
import { plainLine } from '../rules/cli-progress.js'
import type { Output } from './command.js'
import type { RunEnd } from './run-end.js'

export interface EndPlace {
  workflowId: string
  /** Of the person's folder as they would type it, and the run's files in it; null where none are. */
  folder: string | null
  files: readonly string[]
}

/** How a run ended: the document for programs; verdict, reason and files for people. */
export function describeEnd(end: RunEnd, { workflowId, folder, files }: EndPlace): Output {
  if ('failure' in end) {
    const { type, message } = end.failure
    return { exit: exitCodeOfFailure(type), json: { error: { type, message } }, text: `failed: ${plainLine(message)}` }
  }
  const { document } = end
  const lines = [`${document.verdict}: ${plainLine(document.reason)}`]
  if (folder !== null && files.length > 0)
    lines.push(`files in ${folder}: ${files.toSorted((a, b) => a.localeCompare(b)).join(', ')}`)
  lines.push(`again: gauntlet result ${workflowId}; in the Temporal UI: gauntlet up`)
  return { exit: exitCodeOfRun(document), json: document, text: lines.join('\n') }
}
