import { openAcp } from './acp.js'
import type { Backend, BackendSetup, KnownAgent, OpenBackend } from './backend.js'
import { openBuiltin } from './builtin.js'
import { openCommand } from './command.js'
import { openModel } from './model.js'
import { openScript } from './script.js'

/** Every way of asking. */
const BACKENDS: { [K in KnownAgent['kind']]?: OpenBackend<K> } = {
  acp: openAcp,
  builtin: openBuiltin,
  command: openCommand,
  model: openModel,
  script: openScript,
}

/** Opens the backend that an agent's kind names. */
export function openBackend<K extends KnownAgent['kind']>(
  agent: Extract<KnownAgent, { kind: K }>,
  setup: BackendSetup,
): Backend {
  const open = BACKENDS[agent.kind]
  if (open === undefined) throw new Error(`no backend for ${agent.kind}`)
  return open(agent, setup)
}
