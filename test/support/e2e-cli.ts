import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { acquireLock } from '../../src/tools/owned-file.js'
import { stopServer } from '../../src/workers/server-process.js'
import { testFolder } from './circt-case.js'
import { testCache } from './temporal.js'

const packageRoot = fileURLToPath(new URL('../../', import.meta.url))

/** A state home of its own, and everything a test starts in it. */
export interface Place {
  root: string
  home: string
  /** Starts `gauntlet ARGS` as a process of its own, in `root` unless a folder is given. */
  start(args: readonly string[], env?: Record<string, string>, cwd?: string): Cli
  /** The same, to its end. */
  run(args: readonly string[], env?: Record<string, string>, cwd?: string): Promise<Ended>
  /** Ends what is left of the started processes, and the server; removes the folder. */
  close(): Promise<void>
}

export interface Cli {
  pid: number
  startedAt: number
  /** stdout and stderr so far. */
  said(): string
  /** Waits for words on either stream. Throws what was said when the process ends first. */
  hears(words: string | RegExp): Promise<void>
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
  ended: Promise<Ended>
}

export interface Ended {
  /** Null after a signal. */
  exit: number | null
  stdout: string
  stderr: string
}

export function openPlace(name: string): Place {
  const root = testFolder(`e2e-${name}`)
  const home = join(root, 'home')
  const started: Cli[] = []
  const start: Place['start'] = (args, env = {}, cwd = root) => {
    const cli = startCli(args, { ...placeEnv(root, home), ...env }, cwd)
    started.push(cli)
    return cli
  }
  const close = async () => {
    for (const cli of started) await cli.kill('SIGKILL')
    await stopServer(home)
    rmSync(root, { recursive: true, force: true })
  }
  return { root, home, start, run: (args, env, cwd) => start(args, env, cwd).ended, close }
}

/** Nothing of the developer's own configuration, and no GitHub: the search for duplicates gets its corpus by `--issues`. */
function placeEnv(root: string, home: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: root,
    XDG_CONFIG_HOME: root,
    GAUNTLET_HOME: home,
    GAUNTLET_CACHE: testCache(),
  }
}

function startCli(args: readonly string[], env: Record<string, string>, cwd: string): Cli {
  const argv = [join(packageRoot, 'bin', 'gauntlet'), ...args]
  const startedAt = Date.now()
  const child = spawn(process.execPath, argv, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (chunk: Buffer) => (output[stream] += chunk.toString()))
  }
  const said = () => output.stderr + output.stdout
  const ended = new Promise<Ended>((resolve) => child.once('close', (exit) => resolve({ exit, ...output })))
  const hears = async (words: string | RegExp) => {
    const isSaid = () => (typeof words === 'string' ? said().includes(words) : words.test(said()))
    await until(`"${words}" of gauntlet ${args.join(' ')}`, () => {
      if (isSaid()) return true
      if (isOver(child)) throw new Error(`gauntlet ${args.join(' ')} ended before it said ${words}:\n${said()}`)
      return false
    })
  }
  const kill = async (signal: NodeJS.Signals) => {
    if (!isOver(child)) child.kill(signal)
    await ended
  }
  return { pid: child.pid ?? 0, startedAt, said, hears, kill, ended }
}

function isOver({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

/** Looks again and again until it is true, or until a deadline that only a broken engine misses. */
export async function until(what: string, isTrue: () => boolean | Promise<boolean>, limitMs = 120_000): Promise<void> {
  const end = Date.now() + limitMs
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error(`waited ${limitMs / 1000} s in vain for ${what}`)
    await sleep(25)
  }
}

/** Builds `dist` when a source is newer than it. Other test files wait meanwhile. */
export async function ensureBuilt(): Promise<void> {
  const cache = join(packageRoot, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const lock = await acquireLock(join(cache, 'e2e-build.lock'), { waitMs: 120_000 })
  try {
    if (newestSource() <= builtAt()) return
    for (const script of ['node_modules/typescript/bin/tsc', 'scripts/bundle-workflows.js']) {
      const args = script.endsWith('tsc') ? ['-p', 'tsconfig.build.json'] : []
      execFileSync(process.execPath, [join(packageRoot, script), ...args], { cwd: packageRoot, stdio: 'pipe' })
    }
  } finally {
    lock.release()
  }
}

function newestSource(): number {
  const entries = readdirSync(join(packageRoot, 'src'), { recursive: true, withFileTypes: true })
  return Math.max(
    ...entries.filter((entry) => entry.isFile()).map((entry) => mtimeOf(join(entry.parentPath, entry.name))),
  )
}

/** The bundle is the last thing a build writes. */
function builtAt(): number {
  return mtimeOf(join(packageRoot, 'dist', 'workflow-bundle.js'))
}

function mtimeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
