import { Failure } from '../contracts/failures.js'
import { NO_USAGE } from '../rules/budget.js'
import { readDefinition } from '../tools/agent-definitions.js'
import type { KnownAgent } from './backends/backend.js'

/**
 * What a run's word for an agent means on this worker: 'builtin', 'model:PROVIDER/NAME', or a definition in its state home. Throws
 * `Failure('Agent.Unavailable')` for a name this worker does not know: another one may.
 */
export async function agentNamed(name: string, home: string): Promise<KnownAgent> {
  if (name === 'builtin') return { kind: 'builtin' }
  if (name.startsWith('model:')) return { kind: 'model', model: name.slice('model:'.length) }
  const definition = await readDefinition(home, name)
  if (definition !== null) return definition
  throw new Failure('Agent.Unavailable', `agent ${name} is not known to this worker (expected agents/${name}.json)`, {
    isLocal: true,
    details: { usage: NO_USAGE },
  })
}
