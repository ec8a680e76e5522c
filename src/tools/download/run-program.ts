import { spawn, type ChildProcess } from 'node:child_process'
import { hasCode } from '../owner-process.js'
import type { Env } from '../state-home.js'

export interface ProgramOrder {
  /** Program (looked up on PATH when it is a bare name) and arguments, never given to a shell. */
  argv: readonly [string, ...string[]]
  env: Env
  /** Wall clock until the whole process group is killed. */
  timeMs: number
  /** Asked once a second; true kills the group (a download that stands still). */
  isStuck?: () => boolean
}

export interface ProgramOutcome {
  /** Null when a signal ended it or it was not there at all. */
  code: number | null
  /** 'missing': no such program; 'stopped': killed by us. */
  ended: 'itself' | 'missing' | 'stopped'
  /** First 64 KB of each. */
  stdout: string
  stderr: string
}

/**
 * Runs one of the user's own programs (pip, mvn, tar, `temporal --version`) to its end: these fetch what the sandbox later
 * runs, so they keep the user's environment and network. Never throws for how it ends.
 */
export async function runProgram(order: ProgramOrder): Promise<ProgramOutcome> {
  const [program, ...args] = order.argv
  const child = spawn(program, args, { env: { ...order.env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const stdout = keepStart(child.stdout)
  const stderr = keepStart(child.stderr)
  let isStopped = false
  const stop = () => {
    isStopped = true
    killGroup(child)
  }
  const limit = setTimeout(stop, order.timeMs)
  const watch = setInterval(() => order.isStuck?.() && stop(), 1000)
  try {
    const code = await ending(child)
    return { code, ended: isStopped ? 'stopped' : 'itself', stdout: stdout(), stderr: stderr() }
  } catch (error) {
    if (!hasCode(error, 'ENOENT') && !hasCode(error, 'EACCES')) throw error
    return { code: null, ended: 'missing', stdout: '', stderr: '' }
  } finally {
    clearTimeout(limit)
    clearInterval(watch)
  }
}

const keptBytes = 65_536

function keepStart(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = []
  let size = 0
  stream.on('data', (chunk: Buffer) => {
    if (size < keptBytes) chunks.push(chunk.subarray(0, keptBytes - size))
    size += chunk.length
  })
  return () => Buffer.concat(chunks).toString('utf8')
}

function ending(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error
  }
}
