import { randomUUID } from 'node:crypto'
import { Failure } from '../../contracts/failures.js'
import type { ProcessOrder, ProcessOutcome, RunProcess } from '../../contracts/process.js'
import { checkOrder } from './check-order.js'
import { endingOf, limitReached, refusals, type Ending } from './describe-outcome.js'
import { markName } from './end-leftovers.js'
import { limitsArgv } from './limits-argv.js'
import { bareTree, sandboxedTree } from './process-tree.js'
import { isLoaderVariable, sandboxArgv, type Sandbox } from './sandbox-argv.js'
import { filterOf } from './seccomp-filter.js'
import { startChild, type Child, type ChildExit, type Launch } from './start-child.js'
import { watchLimits, type LimitWatch } from './watch-limits.js'
import { within } from './within.js'

/** `bwrapPath` is the `path` that `detectSandbox` found. */
export type RunnerOptions = { sandbox: 'bubblewrap'; bwrapPath: string } | { sandbox: 'none' }

/**
 * Makes the one way programs that are not ours are run: bounded in time, memory, output, processes and file size, without a
 * shell, with nothing inherited, and with nothing of it alive when the promise settles.
 *
 * Without /proc (macOS) memory and processes are not bounded; without util-linux the file size is not.
 * A run throws `Failure('Tool.Missing')` when there is no such program, `Failure('Contract.Violated')` when the order makes
 * no sense, `Failure('Tool.Failed')` when the machine or the sandbox cannot start it; never for how it ends.
 */
export function createRunner(options: RunnerOptions): RunProcess {
  const sandbox = options.sandbox === 'none' ? null : { bwrap: options.bwrapPath }
  return async (order) => {
    const program = checkOrder(order)
    if (order.signal?.aborted === true) return neverStarted(sandbox !== null)
    const mark = randomUUID()
    const child = await startChild(launchOf(sandbox, order, { program, mark }))
    const tree = sandbox === null ? bareTree(child, `${markName}=${mark}`) : sandboxedTree(child)
    const watch = watchLimits(child, tree, order)
    const exit = await child.exited
    const durationMs = performance.now() - child.startedAt
    watch.end()
    await tree.clear(watch.stopped() === null && durationMs < quickMs)
    await within(holdersMs, child.closed)
    child.abandon()
    return { ...outcomeOf(sandbox, order, { child, watch, exit }), durationMs }
  }
}

/** Milliseconds in which a machine cannot give out all its process numbers. */
const quickMs = 1000

/** Milliseconds that a process out of our reach may go on holding the pipes. */
const holdersMs = 500

function launchOf(sandbox: Sandbox | null, order: ProcessOrder, own: { program: string; mark: string }): Launch {
  const { cwd, stdin, onOutput } = order
  if (sandbox === null) {
    const [file = order.argv[0], ...args] = [...limitsArgv(order.limits, false), ...order.argv]
    const env = { ...order.env, [markName]: own.mark }
    return { argv: [file, ...args], env, cwd, stdin, onOutput, isSandboxed: false, filter: null }
  }
  const variables = Object.entries(order.env ?? {}).filter(([name]) => !isLoaderVariable(name))
  const argv = sandboxArgv(sandbox, order, own.program)
  const env = Object.fromEntries(variables)
  return { argv, env, cwd, stdin, onOutput, isSandboxed: true, filter: filterOf(order) }
}

interface Ended {
  child: Child
  watch: LimitWatch
  exit: ChildExit
}

function outcomeOf(sandbox: Sandbox | null, order: ProcessOrder, ended: Ended): Omit<ProcessOutcome, 'durationMs'> {
  const { child, watch, exit } = ended
  const stderr = child.stderr.text()
  const ending =
    sandbox === null || exit.code === null ? bareEnding(order, child, exit) : sandboxEnding(order, child, watch)
  const peakBytes = watch.peakBytes()
  const isFiltered = sandbox !== null && filterOf(order) !== null
  const stopped = watch.stopped() ?? limitReached({ ...ending, stderr, peakBytes, isFiltered }, order.limits)
  return {
    ...ending,
    stopped,
    stdout: child.stdout.text(),
    stderr,
    stdoutBytes: child.stdout.bytes(),
    stderrBytes: child.stderr.bytes(),
    peakMemoryBytes: peakBytes,
    isSandboxed: sandbox !== null,
    refused: sandbox === null ? [] : refusals(stderr, { hasNetwork: order.hasNetwork === true, stopped }),
  }
}

function bareEnding(order: ProcessOrder, child: Child, exit: ChildExit): Ending {
  checkStarted(order, child, exit.code)
  return { exitCode: exit.code, signal: exit.signal }
}

/** bubblewrap names an exit code only for a program that it really started. */
function sandboxEnding(order: ProcessOrder, child: Child, watch: LimitWatch): Ending {
  const code = /"exit-code": *(\d+)/.exec(child.status.text())?.[1]
  if (code !== undefined) {
    checkStarted(order, child, Number(code))
    return endingOf(Number(code))
  }
  if (watch.stopped() !== null) return { exitCode: null, signal: 'SIGKILL' }
  const words = child.stderr.text().trim().split('\n')[0] ?? ''
  if (words.includes(`execvp ${order.argv[0]}`)) throw notExecutable(order, words.slice(words.lastIndexOf(':') + 2))
  throw new Failure('Tool.Failed', `the sandbox could not be set up: ${words || 'bubblewrap said nothing'}`)
}

/** The programs of `limitsArgv` say so when what follows them cannot be executed. */
function checkStarted(order: ProcessOrder, child: Child, code: number | null): void {
  if (code !== 126 && code !== 127) return
  const words = /^(?:setpriv|prlimit): failed to execute .*: (.+)$/m.exec(child.stderr.text())?.[1]
  if (words !== undefined) throw notExecutable(order, words)
}

function notExecutable(order: ProcessOrder, why: string): Failure {
  return new Failure('Tool.Missing', `cannot be executed: ${order.argv[0]} (${why})`)
}

function neverStarted(isSandboxed: boolean): ProcessOutcome {
  return {
    exitCode: null,
    signal: null,
    stopped: 'cancelled',
    stdout: '',
    stderr: '',
    stdoutBytes: 0,
    stderrBytes: 0,
    durationMs: 0,
    peakMemoryBytes: 0,
    isSandboxed,
    refused: [],
  }
}
