import type { RoleName } from '../contracts/agent.js'
import { ROLES } from './roles.js'

/** What `--agent ROLE=BACKEND[:ARGUMENT]` says, before anything is looked up. */
export type AgentFlag = { role: RoleName | '*' } & (
  | { kind: 'builtin' }
  | { kind: 'model'; model: string }
  /** A command line, for `splitWords`. */
  | { kind: 'command' | 'acp'; line: string }
  | { kind: 'script'; file: string }
  /** An agent that the worker's own configuration defines. */
  | { kind: 'named'; name: string }
)

/** Reads the value of the flag; a complaint says what was expected and what came. */
export function readAgentFlag(text: string): AgentFlag | Complaint {
  const [, name = '', agent = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? []
  if (agent === '') return { expected: "ROLE=BACKEND[:ARGUMENT], as in 'coder=command:./agent.py'", came: shown(text) }
  const role = [...ROLES, '*' as const].find((each) => each === name)
  if (role === undefined) return { expected: `a role (${ROLES.join(', ')}) or * for all`, came: shown(name) }
  const read = readBackend(agent)
  return 'expected' in read ? read : { role, ...read }
}

function readBackend(agent: string): Backend | Complaint {
  const [, backend = agent, argument] = /^([^:]*)(?::(.*))?$/s.exec(agent) ?? []
  const read = BACKENDS.get(backend)
  if (read !== undefined) return read(argument ?? '')
  const isName = argument === undefined && /^[a-z0-9][A-Za-z0-9._-]{0,79}$/.test(backend)
  return isName ? { kind: 'named', name: backend } : { expected: KINDS, came: shown(agent) }
}

const KINDS = 'builtin, model:PROVIDER/NAME, command:PROGRAM, acp:PROGRAM, script:FILE or the name of a defined agent'

type Backend = AgentFlag extends infer F ? (F extends unknown ? Omit<F, 'role'> : never) : never
interface Complaint {
  expected: string
  came: string
}

const BACKENDS = new Map<string, (argument: string) => Backend | Complaint>([
  [
    'builtin',
    (argument) =>
      argument === '' ? { kind: 'builtin' } : { expected: 'builtin alone', came: shown(`builtin:${argument}`) },
  ],
  ['model', readModel],
  ['command', (line) => (line.trim() === '' ? missing('a program behind command:') : { kind: 'command', line })],
  ['acp', (line) => (line.trim() === '' ? missing('a program behind acp:') : { kind: 'acp', line })],
  ['script', (file) => (file.trim() === '' ? missing('a file behind script:') : { kind: 'script', file })],
])

function readModel(model: string): Backend | Complaint {
  const isModel = /^(anthropic|openai)\/[A-Za-z0-9][A-Za-z0-9._:/@-]{0,90}$/.test(model)
  return isModel
    ? { kind: 'model', model }
    : { expected: 'model:anthropic/NAME or model:openai/NAME', came: shown(`model:${model}`) }
}

function missing(expected: string): Complaint {
  return { expected, came: 'nothing' }
}

function shown(text: string): string {
  return text === '' ? 'nothing' : JSON.stringify(text.slice(0, 120))
}
