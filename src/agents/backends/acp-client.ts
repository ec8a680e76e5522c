import {
  client,
  methods,
  type ClientApp,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk'
import { Failure } from '../../contracts/failures.js'
import { pathInside } from '../../tools/worktree-tools/open-inside.js'
import { canEdit } from './acp-abilities.js'
import { acpFiles } from './acp-files.js'
import { chosenOption, mayUse } from './acp-permission.js'
import { acpTerminals } from './acp-terminals.js'
import { gatherUpdates, type AcpUpdates } from './acp-updates.js'
import type { AgentBox, AgentRequest } from './backend.js'

/** Our side of the protocol, for one question. */
export interface AcpClient {
  app: ClientApp
  updates: AcpUpdates
  /** Whether a permission was refused: some agents then end their turn as if they had refused themselves. */
  hasRefused(): boolean
  close(): Promise<void>
}

/** `fail` ends the turn from within. */
export function acpClient(request: AgentRequest, box: AgentBox, fail: (failure: Failure) => void): AcpClient {
  const updates = gatherUpdates(box, fail)
  const files = acpFiles(request, box)
  const terminals = acpTerminals(request, box)
  const permission = askPermission(request, box, updates)
  const { session, fs, terminal } = methods.client
  const app = client({ name: 'gauntlet' })
    .onRequest(session.requestPermission, ({ params }) => permission.ask(params))
    .onRequest(fs.readTextFile, ({ params }) => files.read(params))
    .onRequest(fs.writeTextFile, ({ params }) => files.write(params))
    .onRequest(terminal.create, ({ params }) => terminals.create(params))
    .onRequest(terminal.output, ({ params }) => terminals.output(params.terminalId))
    .onRequest(terminal.waitForExit, ({ params }) => terminals.waitForExit(params.terminalId))
    .onRequest(terminal.kill, ({ params }) => terminals.kill(params.terminalId))
    .onRequest(terminal.release, ({ params }) => terminals.release(params.terminalId))
  return { app, updates, hasRefused: permission.hasRefused, close: () => terminals.close() }
}

function askPermission(request: AgentRequest, box: AgentBox, updates: AcpUpdates) {
  let hasRefused = false

  async function ask({ toolCall, options }: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    // The protocol wants this of every permission that is open when a turn is cancelled.
    if (box.signal.aborted) return { outcome: { outcome: 'cancelled' } }
    const known = updates.toolCall(toolCall.toolCallId)
    const kind = toolCall.kind ?? known.kind ?? null
    const paths = (toolCall.locations ?? known.locations ?? []).map(({ path }) => path)
    const isInside = await areInside(box, paths, canEdit(request) && changes.has(kind))
    const isGranted = mayUse(request.abilities, { kind, isInside }, box.isSandboxed)
    hasRefused ||= !isGranted
    box.record({
      kind: 'permission',
      tool: kind,
      title: toolCall.title ?? known.title ?? null,
      paths,
      granted: isGranted,
    })
    return { outcome: chosenOption(options, isGranted) }
  }

  return { ask, hasRefused: () => hasRefused }
}

const changes: ReadonlySet<unknown> = new Set(['edit', 'delete', 'move'])

/** Null when no path is named. */
async function areInside(box: AgentBox, paths: readonly string[], isChange: boolean): Promise<boolean | null> {
  if (paths.length === 0) return null
  const inside = await Promise.all(paths.map((path) => pathInside(box.cwd, path).catch(nullWhenRefused)))
  return inside.every((path) => path !== null && !(isChange && box.protected.includes(path)))
}

function nullWhenRefused(error: unknown): null {
  if (error instanceof Failure) return null
  throw error
}
