import type { Readable, Writable } from 'node:stream'
import type { AgentDefinition } from '../../contracts/agent-definition.js'
import type { Ability, AgentUsage, Allowance, RoleName } from '../../contracts/agent.js'
import type { ProcessOutcome } from '../../contracts/process.js'
import type { ArtifactStore } from '../../contracts/store.js'
import type { Env } from '../../tools/state-home.js'

/** The `command` contract's document, and what every other way of asking is made from (design.md, Agents). */
export interface AgentRequest {
  protocol: 'gauntlet.agent/1'
  role: RoleName
  run_id: string
  task_id: string | null
  attempt: number
  abilities: Ability
  input: unknown
  prompt: string
  /** JSON Schema of the answer. */
  answer_schema: unknown
  complaints: readonly string[]
}

/** Where an agent works and what holds it. */
export interface AgentBox {
  /** The attempt's worktree, or an empty scratch folder; absolute. */
  cwd: string
  /**
   * Runs a program in the sandbox of the attempt: the box adds folder, environment, network, limits and signal, and puts what it
   * says on stderr into the transcript. Throws `Failure('Tool.Missing')` where there is no such program, or no sandbox and nobody
   * agreed to do without.
   */
  run(program: AgentProgram): Promise<ProcessOutcome>
  /** Which step and round this is: what a script's entry is found by. */
  step: string
  round: number
  isSandboxed: boolean
  /** Fires on a cancel, on the worker's end, and when `limitMs` is over. */
  signal: AbortSignal
  limitMs: number
  allowance: Allowance
  /** Protected files of the worktree: a backend with file tools of its own refuses to change them. */
  protected: readonly string[]
  /** One line of the transcript; secrets are taken out on the way. */
  record(entry: TranscriptEntry): void
}

/** A program of an agent's: itself, or one that it has run by us. */
export interface AgentProgram {
  /** The program is an absolute path. */
  argv: readonly [string, ...string[]]
  /** Given whole and closed. */
  stdin?: string
  /** Further files and folders it may read, absolute: of ours, never named by an agent. */
  readable?: readonly string[]
  /** Instead of `stdin`: called once when the program has started. stdout is counted and kept as well. */
  talk?: (pipes: Pipes) => void
  /** Bytes of stdout kept; more is cut in the middle. Default: 256 KB of each end. */
  keptBytes?: number
  /** Default: what is left of `limitMs`. */
  timeMs?: number
  /** Kills the program with its tree before its time. */
  stop?: AbortSignal
  /** How long after `signal` of the box the kill comes, so that a cancel can be said first. Default: at once. */
  graceMs?: number
}

export interface Pipes {
  stdin: Writable
  stdout: Readable
}

export interface TranscriptEntry {
  kind: 'request' | 'answer' | 'text' | 'tool_call' | 'tool_result' | 'permission' | 'stderr' | 'note'
  [field: string]: unknown
}

/** What came back, before anyone looked at its shape: text that should hold a JSON document, or a value. */
export interface RawAnswer {
  answer: { text: string } | { value: unknown }
  usage: AgentUsage
}

/**
 * One way of asking. Throws `Failure`: `Agent.Unavailable` (try later; `retryAfterMs` when told), `Agent.Rejected`,
 * `Tool.Failed`, `Tool.Missing`, `Budget.Exhausted` (put what was used into `details.usage`); stops by itself when the signal
 * fires, with its whole process tree.
 */
export interface Backend {
  ask(request: AgentRequest, box: AgentBox): Promise<RawAnswer>
  /** One line for everything that was prepared for this run and that nobody asked for. */
  leftovers?(runId: string): Promise<readonly string[]>
}

/** An agent as its name and the worker's config make it: see `agentNamed`. */
export type KnownAgent =
  | { kind: 'builtin' }
  /** 'anthropic/NAME', 'openai/NAME', … */
  | { kind: 'model'; model: string }
  | AgentDefinition

/** What a backend knows of its worker. */
export interface BackendSetup {
  /** The worker's own environment: keys. Nothing of it reaches a program by itself. */
  env: Env
  store: ArtifactStore
  /** The agent's whole name, as runs spell it. */
  name: string
}

/** Makes the backend for one kind of agent. */
export type OpenBackend<K extends KnownAgent['kind']> = (
  agent: Extract<KnownAgent, { kind: K }>,
  setup: BackendSetup,
) => Backend
