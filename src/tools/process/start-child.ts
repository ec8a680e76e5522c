import { spawn, type ChildProcess } from 'node:child_process'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Failure } from '../../contracts/failures.js'
import type { ProcessOrder } from '../../contracts/process.js'
import { boundedOutput, type BoundedOutput } from './bounded-output.js'
import { codeOf } from './error-code.js'
import { statusFd } from './sandbox-argv.js'
import { filterFd } from './seccomp-filter.js'

export interface Launch {
  argv: readonly [string, ...string[]]
  /** Complete: nothing is inherited. */
  env: Record<string, string>
  cwd: string
  stdin: ProcessOrder['stdin']
  onOutput: ProcessOrder['onOutput']
  isSandboxed: boolean
  /** For bubblewrap to read; null when the program runs under none. */
  filter: Uint8Array | null
}

export interface Child {
  pid: number
  /** By `performance.now()`. */
  startedAt: number
  stdout: BoundedOutput
  stderr: BoundedOutput
  /** What bubblewrap said about the program; empty without a sandbox. */
  status: BoundedOutput
  /** The started process is dead; others of its tree may live and hold the pipes. */
  exited: Promise<ChildExit>
  /** Every pipe is closed, hence all output has been read. */
  closed: Promise<void>
  /** Stops listening to pipes that somebody still holds. */
  abandon(): void
  /** Called for every chunk of output with the bytes of both streams so far. */
  onOutput(listener: (bytes: number) => void): void
}

export interface ChildExit {
  code: number | null
  signal: NodeJS.Signals | null
}

/** Starts a process in its own process group. Throws `Failure('Tool.Failed')` when the machine cannot start one now. */
export async function startChild(launch: Launch): Promise<Child> {
  const [file, ...args] = launch.argv
  const startedAt = performance.now()
  const child = spawnChild(launch, file, args)
  const exited = new Promise<ChildExit>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })))
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const pid = child.pid ?? (await whyNotStarted(child, file))
  feed(child.stdin, launch.stdin)
  feed(child.stdio[filterFd], launch.filter)
  const streams = [child.stdout, child.stderr, child.stdio[statusFd]].filter(isReadable)
  const [stdout, stderr, status = boundedOutput()] = streams.map(collect)
  if (stdout === undefined || stderr === undefined) throw new Error('a child process without output pipes')
  if (launch.onOutput !== undefined) tell(streams, launch.onOutput)
  const onOutput = (listener: (bytes: number) => void) => {
    for (const stream of streams.slice(0, 2)) stream.on('data', () => listener(stdout.bytes() + stderr.bytes()))
  }
  const abandon = () => streams.forEach((stream) => stream.destroy())
  return { pid, startedAt, stdout, stderr, status, exited, closed, abandon, onOutput }
}

/** A program that ends without reading what it is given is no error of ours. */
function feed(stream: unknown, content: Launch['stdin'] | null): void {
  if (!isWritable(stream)) return
  stream.on('error', () => stream.destroy())
  if (typeof content === 'object' && content !== null && !(content instanceof Uint8Array)) {
    pipeline(Readable.from(content), stream).catch(() => stream.destroy())
  } else {
    stream.end(content ?? undefined)
  }
}

function isWritable(stream: unknown): stream is Writable {
  return typeof stream === 'object' && stream !== null && 'write' in stream
}

function spawnChild(launch: Launch, file: string, args: readonly string[]): ChildProcess {
  try {
    return spawn(file, args, {
      cwd: launch.cwd,
      env: launch.env,
      detached: true,
      stdio: [
        launch.stdin === undefined ? 'ignore' : 'pipe',
        'pipe',
        'pipe',
        launch.isSandboxed ? 'pipe' : 'ignore',
        launch.filter === null ? 'ignore' : 'pipe',
      ],
    })
  } catch (error) {
    // Arguments too long for the kernel or with a zero byte in them, for instance.
    if (!(error instanceof Error) || codeOf(error) === null) throw error
    throw new Failure('Tool.Failed', `cannot start ${file}: ${error.message.slice(0, 200)}`, { cause: error })
  }
}

async function whyNotStarted(child: ChildProcess, file: string): Promise<never> {
  const error = await new Promise<Error>((resolve) => child.once('error', resolve))
  throw new Failure('Tool.Failed', `cannot start ${file}: ${error.message}`, { cause: error })
}

function tell(streams: readonly Readable[], listener: NonNullable<Launch['onOutput']>): void {
  const [stdout, stderr] = streams
  stdout?.on('data', (chunk: Buffer) => listener(chunk, 'stdout'))
  stderr?.on('data', (chunk: Buffer) => listener(chunk, 'stderr'))
}

function collect(stream: Readable): BoundedOutput {
  const output = boundedOutput()
  stream.on('data', (chunk: Buffer) => output.push(chunk))
  // Reading from a tree that was just killed may fail; what came before counts.
  stream.on('error', () => stream.destroy())
  return output
}

function isReadable(stream: unknown): stream is Readable {
  return stream !== null && stream !== undefined && typeof stream === 'object' && 'read' in stream
}
