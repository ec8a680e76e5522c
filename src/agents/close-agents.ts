import type { ClosedAgents, CloseAgentsOrder } from '../contracts/agent.js'
import { Failure } from '../contracts/failures.js'
import { agentNamed } from './agents-config.js'
import type { AskSetup } from './ask-call.js'
import { openBackend } from './backends/all-backends.js'

/** What the agents of a run have left over: one line each, such as an answer of a script that nobody asked for. */
export async function closeAgents(
  { home, env, store }: Pick<AskSetup, 'home' | 'env' | 'store'>,
  { run_id, agents }: CloseAgentsOrder,
): Promise<ClosedAgents> {
  const leftovers: string[] = []
  for (const name of agents) leftovers.push(...(await leftoversOf(name)))
  return { leftovers: leftovers.slice(0, 50).map((line) => line.slice(0, 500)) }

  async function leftoversOf(name: string): Promise<readonly string[]> {
    try {
      const backend = openBackend(await agentNamed(name, home), { env, store, name })
      return (await backend.leftovers?.(run_id)) ?? []
    } catch (error) {
      if (!(error instanceof Failure) || error.isLocal) throw error
      return [`${name}: ${error.message}`]
    }
  }
}
