import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { AgentNetwork } from '../contracts/agent-definition.js'
import type { AgentOrder } from '../contracts/agent.js'
import { Failure } from '../contracts/failures.js'
import type { ProcessLimits, ProcessOrder, ProcessOutcome, RunProcess } from '../contracts/process.js'
import { FORWARDER_FILE } from '../tools/agent-network/forwarder.js'
import { type GuardedProxy, openGuardedProxy } from '../tools/agent-network/guarded-proxy.js'
import { isProgram } from '../tools/find-program.js'
import { boundedOutput } from '../tools/process/bounded-output.js'
import type { Env } from '../tools/state-home.js'
import type { AgentBox, AgentProgram, KnownAgent, TranscriptEntry } from './backends/backend.js'

export interface BoxSetup {
  /** The raw runner, not the tools' pool: an agent may wait for programs of its own. */
  run: RunProcess
  isSandboxed: boolean
  /** The worker's own. */
  env: Env
  /** 'host:port' of the Temporal server, which no agent may reach. */
  temporalAddress: string | null
}

export interface BoxOrder {
  order: AgentOrder
  agent: KnownAgent
  cwd: string
  /** What the worktree needs to be shown. */
  readable: readonly string[]
  /** A folder of ours, not the agent's: homes and the proxy lie here. */
  scratch: string
  /** Fires when the agent must stop. */
  signal: AbortSignal
  record: (entry: TranscriptEntry) => void
}

export interface OpenBox {
  box: AgentBox
  /** Whether a program ran outside a sandbox. */
  ranBare(): boolean
  close(): Promise<void>
}

/** Makes the box of one attempt. Nothing is started before a program runs. */
export async function openBox(setup: BoxSetup, own: BoxOrder): Promise<OpenBox> {
  const { order, cwd, signal, record } = own
  const startedAt = performance.now()
  const limitMs = order.limit_seconds * 1000
  let proxy: Promise<GuardedProxy> | null = null
  let hasRun = false
  const homes = await makeHomes(own.scratch)

  const openProxy = async () => {
    const onRefusal = (text: string) => record({ kind: 'note', text: `network: ${text}` })
    const { temporalAddress: forbidden } = setup
    proxy ??= openGuardedProxy({ folder: homes.proxy, network: networkOf(own.agent), forbidden, onRefusal })
    await proxy
  }

  const run = async (program: AgentProgram): Promise<ProcessOutcome> => {
    if (!setup.isSandboxed && !order.allow_unsandboxed) throw new Failure('Tool.Missing', NO_SANDBOX)
    if (!isProgram(program.argv[0]))
      throw new Failure('Tool.Missing', `not a program that can be run: ${program.argv[0]}`)
    hasRun = true
    const isProxied = setup.isSandboxed && networkOf(own.agent) !== false
    if (isProxied) await openProxy()
    const leftMs = Math.max(1, limitMs - (performance.now() - startedAt))
    const base = await orderFor(setup, own, { program, homes, isProxied, leftMs })
    const outcome = await spoken(setup.run, base, program)
    if (outcome.stderr !== '') record({ kind: 'stderr', text: outcome.stderr })
    return outcome
  }

  const { step, round, allowance, workspace } = order
  const box = { cwd, run, step, round, signal, limitMs, allowance, record, isSandboxed: setup.isSandboxed }
  return {
    box: { ...box, protected: workspace?.protected ?? [] },
    ranBare: () => hasRun && !setup.isSandboxed,
    close: async () => {
      await (await proxy)?.close()
    },
  }
}

const NO_SANDBOX = 'sandbox: expected bubblewrap on the worker, found none; install it, or agree with --unsandboxed'

interface Homes {
  home: string
  temporary: string
  proxy: string
}

/** Private to the attempt. Beside the worktree, because what lies in it is committed. */
async function makeHomes(scratch: string): Promise<Homes> {
  const homes = { home: join(scratch, 'home'), temporary: join(scratch, 'temporary'), proxy: join(scratch, 'proxy') }
  await mkdir(homes.home, { mode: 0o700 })
  await mkdir(homes.temporary, { mode: 0o700 })
  return homes
}

function networkOf(agent: KnownAgent): AgentNetwork {
  return agent.kind === 'command' || agent.kind === 'acp' ? agent.network : false
}

interface ProgramOrder {
  program: AgentProgram
  homes: Homes
  isProxied: boolean
  leftMs: number
}

async function orderFor(setup: BoxSetup, own: BoxOrder, ordered: ProgramOrder): Promise<ProcessOrder> {
  const { program, homes, isProxied, leftMs } = ordered
  const [file] = program.argv
  const installed = own.agent.kind === 'command' || own.agent.kind === 'acp' ? own.agent.readable : []
  const shown = isProxied ? [homes.proxy, file, await realpath(file)] : []
  const stop = program.stop === undefined ? [] : [program.stop]
  return {
    argv: isProxied
      ? [process.execPath, join(homes.proxy, FORWARDER_FILE), homes.proxy, own.cwd, ...program.argv]
      : program.argv,
    cwd: own.cwd,
    readable: [...own.readable, ...installed, ...shown, ...(program.readable ?? [])],
    writable: [homes.home, homes.temporary],
    env: environmentFor(setup, own.agent, homes),
    limits: { ...AGENT_LIMITS, timeMs: Math.min(program.timeMs ?? Infinity, leftMs + (program.graceMs ?? 0)) },
    isProxied,
    signal: AbortSignal.any([...stop, late(own.signal, program.graceMs ?? 0)]),
  }
}

/** Wide: agents build and test what they work on. Time is the role's. */
const AGENT_LIMITS: ProcessLimits = {
  timeMs: 0,
  memoryBytes: 4 * 1024 ** 3,
  outputBytes: 256 * 1024 ** 2,
  processes: 2000,
  fileBytes: 1024 ** 3,
  diskBytes: 8 * 1024 ** 3,
}

/** An allow-list; what the definition names comes last, so that it may also replace one of these. */
function environmentFor({ env }: BoxSetup, agent: KnownAgent, homes: Homes): Record<string, string> {
  const listed = agent.kind === 'command' || agent.kind === 'acp' ? agent.env : []
  const own = { HOME: homes.home, TMPDIR: homes.temporary }
  return { ...pick(env, PUBLIC_VARIABLES), ...own, ...pick(env, listed) }
}

const PUBLIC_VARIABLES = ['PATH', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ']

function pick(env: Env, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}

/** Fires `ms` after the other one. */
function late(signal: AbortSignal, ms: number): AbortSignal {
  if (ms === 0) return signal
  const later = new AbortController()
  const start = () => setTimeout(() => later.abort(), ms).unref()
  if (signal.aborted) start()
  else signal.addEventListener('abort', start, { once: true })
  return later.signal
}

/** Gives a program its words, whole or as a conversation, and keeps as much of its answer as was asked for. */
async function spoken(
  run: RunProcess,
  order: ProcessOrder,
  { stdin, talk, keptBytes }: AgentProgram,
): Promise<ProcessOutcome> {
  const kept = boundedOutput(keptBytes)
  if (talk === undefined) {
    const onOutput = onStdout((chunk) => kept.push(chunk))
    const outcome = await run({ ...order, onOutput, ...(stdin === undefined ? {} : { stdin }) })
    return { ...outcome, stdout: kept.text() }
  }
  const pipes = { stdin: new PassThrough(), stdout: new PassThrough() }
  const running = run({ ...order, stdin: pipes.stdin, onOutput: onStdout((chunk) => pipes.stdout.write(chunk)) })
  talk(pipes)
  try {
    return await running
  } finally {
    pipes.stdout.end()
    pipes.stdin.destroy()
  }
}

function onStdout(take: (chunk: Buffer) => void): NonNullable<ProcessOrder['onOutput']> {
  return (chunk, stream) => {
    if (stream === 'stdout') take(Buffer.from(chunk))
  }
}
