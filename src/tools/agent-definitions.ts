import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AgentDefinition, DefinitionName } from '../contracts/agent-definition.js'
import { Failure } from '../contracts/failures.js'
import { parseContract, parseJson } from '../contracts/parse.js'
import { readBounded } from './folder/read-bounded.js'
import { writeWhole } from './folder/write-whole.js'

/** What this worker knows of the agent of that name, or null. Throws `Failure('Contract.Violated')` when its file does not fit. */
export async function readDefinition(home: string, name: string): Promise<AgentDefinition | null> {
  if (!DefinitionName.safeParse(name).success) return null
  try {
    const bytes = await readBounded(join(folderOf(home), `${name}.json`), maxBytes)
    return parseJson(AgentDefinition, bytes.toString('utf8'), `agent ${name}`)
  } catch (error) {
    if (error instanceof Failure && error.type === 'Case.Incomplete') return null
    throw error
  }
}

const maxBytes = 64 * 1024

/** Writes `<home>/agents/NAME.json` for this user alone. What it says of the same name before is replaced. */
export async function writeDefinition(home: string, name: string, definition: AgentDefinition): Promise<void> {
  const folder = folderOf(home)
  const file = `${parseContract(DefinitionName, name, 'agent')}.json`
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeWhole(folder, file, `${JSON.stringify(parseContract(AgentDefinition, definition, name), null, 2)}\n`)
  await chmod(join(folder, file), 0o600)
}

function folderOf(home: string): string {
  return join(home, 'agents')
}
