import { isAbsolute, join } from 'node:path'
import { RequestError, type CreateTerminalRequest, type TerminalOutputResponse } from '@agentclientprotocol/sdk'
import { Failure } from '../../contracts/failures.js'
import { pathInside } from '../../tools/worktree-tools/open-inside.js'
import { programNamed } from '../../tools/worktree-tools/run-command.js'
import { canRun } from './acp-abilities.js'
import type { AgentBox, AgentRequest } from './backend.js'

export interface AcpTerminals {
  create(order: CreateTerminalRequest): Promise<{ terminalId: string }>
  output(id: string): TerminalOutputResponse
  waitForExit(id: string): Promise<Exit>
  kill(id: string): void
  release(id: string): Promise<void>
  /** Kills all and waits until nothing of them is left. */
  close(): Promise<void>
}

interface Exit {
  exitCode: number | null
  signal: string | null
}

interface Terminal {
  tail: Tail
  stop: AbortController
  exit: Exit | null
  ended: Promise<Exit>
}

const maxTerminals = 32

/** Programs that an agent has run by us, each in the sandbox of the attempt. stderr comes when the program has ended. */
export function acpTerminals(request: AgentRequest, box: AgentBox): AcpTerminals {
  const terminals = new Map<string, Terminal>()
  let created = 0

  function find(id: string): Terminal {
    const terminal = terminals.get(id)
    if (terminal === undefined) throw RequestError.resourceNotFound(id)
    return terminal
  }

  async function create(order: CreateTerminalRequest): Promise<{ terminalId: string }> {
    if (!canRun(request)) throw new RequestError(-32602, 'this role may not run programs')
    if (terminals.size >= maxTerminals) throw new RequestError(-32602, `at most ${maxTerminals} terminals at once`)
    const argv = await argvOf(box.cwd, order).catch(plainRefusal)
    const terminalId = `terminal-${(created += 1)}`
    box.record({ kind: 'tool_call', name: 'terminal/create', id: terminalId, argv })
    terminals.set(terminalId, start(box, { argv, keptBytes: order.outputByteLimit ?? maxOutputBytes, id: terminalId }))
    return { terminalId }
  }

  async function release(id: string): Promise<void> {
    const terminal = find(id)
    terminals.delete(id)
    terminal.stop.abort()
    await terminal.ended
  }

  const close = async () => void (await Promise.all([...terminals.keys()].map(release)))
  const kill = (id: string) => find(id).stop.abort()
  return { create, release, close, kill, output: (id) => outputOf(find(id)), waitForExit: (id) => find(id).ended }
}

function outputOf({ tail, exit }: Terminal): TerminalOutputResponse {
  return { output: tail.text(), truncated: tail.isCut(), exitStatus: exit }
}

interface Start {
  argv: [string, ...string[]]
  keptBytes: number
  id: string
}

function start(box: AgentBox, { argv, keptBytes, id }: Start): Terminal {
  const stop = new AbortController()
  const tail = openTail(Math.min(keptBytes, maxOutputBytes))
  const running = box.run({
    argv,
    stop: stop.signal,
    talk: ({ stdin, stdout }) => {
      stdin.end()
      stdout.on('data', (chunk: Buffer) => tail.push(chunk))
    },
  })
  const terminal: Terminal = { tail, stop, exit: null, ended: running.then(ended, notStarted) }
  return terminal

  function ended({ exitCode, signal, stderr }: Awaited<typeof running>): Exit {
    tail.push(Buffer.from(stderr))
    return finish({ exitCode, signal })
  }

  function notStarted(error: unknown): Exit {
    tail.push(Buffer.from(error instanceof Failure ? error.message : 'it could not be started'))
    return finish({ exitCode: 127, signal: null })
  }

  function finish(exit: Exit): Exit {
    terminal.exit = exit
    box.record({ kind: 'tool_result', name: 'terminal', id, ...exit, output: tail.text() })
    return exit
  }
}

/** Variables and folder by `env`, which needs no shell to set them. */
async function argvOf(root: string, order: CreateTerminalRequest): Promise<[string, ...string[]]> {
  const { command, args = [], env = [], cwd } = order
  const program: [string, ...string[]] = [programNamed(root, command), ...args]
  const variables = env.filter(({ name }) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
  const folder = cwd === undefined || cwd === null || !isAbsolute(cwd) ? '' : await pathInside(root, cwd)
  if (variables.length === 0 && folder === '') return program
  const inFolder = folder === '' ? [] : ['-C', join(root, folder)]
  return ['/usr/bin/env', ...inFolder, ...variables.map(({ name, value }) => `${name}=${value}`), ...program]
}

function plainRefusal(error: unknown): never {
  throw error instanceof Failure ? new RequestError(-32602, error.message) : error
}

const maxOutputBytes = 1024 ** 2

interface Tail {
  push(chunk: Buffer): void
  text(): string
  isCut(): boolean
}

/** The last bytes of an output, from a whole character on. */
function openTail(bytes: number): Tail {
  let chunks: Buffer[] = []
  let size = 0
  let total = 0
  const last = () => {
    const all = Buffer.concat(chunks)
    return all.subarray(Math.max(0, all.length - bytes))
  }
  return {
    push(chunk) {
      chunks.push(chunk)
      size += chunk.length
      total += chunk.length
      if (size <= 2 * bytes) return
      chunks = [Buffer.from(last())]
      size = bytes
    },
    text: () => wholeCharacters(last(), total > bytes).toString('utf8'),
    isCut: () => total > bytes,
  }
}

/** Bytes 10xxxxxx go on with a character that began before. */
function wholeCharacters(bytes: Buffer, isCut: boolean): Buffer {
  if (!isCut) return bytes
  const first = bytes.subarray(0, 4).findIndex((byte) => (byte & 0xc0) !== 0x80)
  return first === -1 ? bytes : bytes.subarray(first)
}
