import {
  RequestError,
  type ReadTextFileRequest,
  type ReadTextFileResponse,
  type WriteTextFileRequest,
} from '@agentclientprotocol/sdk'
import { Failure } from '../../contracts/failures.js'
import { checkUnprotected } from '../../tools/worktree-tools/edit-file.js'
import { readInside, writeInside } from '../../tools/worktree-tools/text-inside.js'
import { canEdit, canRead } from './acp-abilities.js'
import type { AgentBox, AgentRequest } from './backend.js'

export interface AcpFiles {
  read(order: ReadTextFileRequest): Promise<ReadTextFileResponse>
  write(order: WriteTextFileRequest): Promise<void>
}

/** The files of the worktree, for an agent that asks us instead of the system. One at a time: each may be a megabyte. */
export function acpFiles(request: AgentRequest, box: AgentBox): AcpFiles {
  let last: Promise<unknown> = Promise.resolve()

  function inTurn<T>(name: string, path: string, work: () => Promise<T>): Promise<T> {
    const turn = last.then(async () => {
      box.signal.throwIfAborted()
      try {
        const value = await work()
        box.record({ kind: 'tool_call', name, path })
        return value
      } catch (error) {
        throw refused(box, { name, path, error })
      }
    })
    last = turn.catch(() => null)
    return turn
  }

  return {
    read: (order) =>
      inTurn('fs/read_text_file', order.path, async () => {
        if (!canRead(request)) throw notAllowed('read')
        return { content: linesOf(await readInside(box.cwd, order.path), order) }
      }),
    write: (order) =>
      inTurn('fs/write_text_file', order.path, async () => {
        if (!canEdit(request)) throw notAllowed('change')
        await checkUnprotected({ root: box.cwd, protected: box.protected }, order.path)
        await writeInside(box.cwd, order.path, order.content)
      }),
  }
}

function notAllowed(what: string): Failure {
  return new Failure('Contract.Violated', `this role may not ${what} files`)
}

/** `line` is the first wanted, from 1; `limit` how many. */
function linesOf(text: string, { line, limit }: ReadTextFileRequest): string {
  if ((line ?? null) === null && (limit ?? null) === null) return text
  const first = Math.max(1, line ?? 1) - 1
  return text
    .split('\n')
    .slice(first, limit === null || limit === undefined ? undefined : first + limit)
    .join('\n')
}

function refused(box: AgentBox, { name, path, error }: { name: string; path: string; error: unknown }): unknown {
  if (!(error instanceof Failure)) return error
  box.record({ kind: 'permission', name, path, granted: false, why: error.message })
  return error.details['code'] === 'ENOENT'
    ? RequestError.resourceNotFound(path)
    : new RequestError(-32602, error.message)
}
