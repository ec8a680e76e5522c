import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MinimizeProgress } from '../../src/contracts/minimize-progress.js'
import { ResultDocument } from '../../src/contracts/run.js'
import { readServerRecord } from '../../src/workers/server-record.js'
import { makeCase, reportOf } from './e2e-case.js'
import { type Cli, type Place, until } from './e2e-cli.js'
import { type ActivityStory, openWitness, type Witness } from './e2e-history.js'
import { orphansOf, stillThere } from './e2e-leftovers.js'

export type Victim = 'worker' | 'server and worker' | 'CLI'

export interface Disturbance {
  /** Also the run's key and its folder. */
  key: string
  victim: Victim
  /** When to kill: so many milliseconds after the start, or as soon as it is true. */
  when: number | ((witness: Witness) => Promise<boolean>)
  size?: 'small' | 'example'
}

/** What came of a run whose processes were killed once. */
export interface Survival {
  victim: Victim
  /** Milliseconds from the run's start to the kill. */
  killedAfterMs: number
  /** Activities under way then; empty after the end. */
  during: string[]
  /** Milliseconds from the start of the new process to its first word of readiness. */
  readyAfterMs: number
  /** The same to the first thing that happened in the run; null when it was over already. */
  movedAfterMs: number | null
  /** Programs of the killed process that lived on for two seconds, and unborn sandboxes that outlived the start of the next. */
  orphans: string[]
  /** What the reduction's heartbeat said just before; null when it was not under way, or had nothing yet. */
  left: MinimizeProgress | null
  reduction: Reduction
  report: Record<string, string>
  stories: ActivityStory[]
}

/** The attempt that ended: what it began with, and the runs it made itself. */
export interface Reduction {
  firstLines: number
  runs: number
}

/** Environment of every process that may run compilers. */
export type ToolEnv = { CIRCT_BIN: string }

/** An undisturbed run by `gauntlet run`: what the others must end as, and how long the run itself takes. */
export async function undisturbed(place: Place, env: ToolEnv, size?: 'small' | 'example'): Promise<Plain> {
  const folder = makeCase(place.root, 'undisturbed', size)
  const { exit, stdout, stderr } = await place.run([...runArguments('run', 'undisturbed'), '--json'], env)
  if (exit !== 0) throw new Error(`the undisturbed run ended with exit ${exit}: ${stderr}`)
  const { started_at, ended_at } = ResultDocument.parse(JSON.parse(stdout))
  const milliseconds = Date.parse(ended_at) - Date.parse(started_at)
  return { report: reportOf(folder), reduction: reductionIn(folder), milliseconds }
}

export interface Plain {
  report: Record<string, string>
  reduction: Reduction
  milliseconds: number
}

/** As minimize.log tells it: a line for each pass. */
function reductionIn(folder: string): Reduction {
  const lines = readFileSync(join(folder, 'minimize.log'), 'utf8').trim().split('\n')
  const rows = lines.map((line) => JSON.parse(line) as { linesBefore: number; runs: number })
  return { firstLines: rows[0]?.linesBefore ?? 0, runs: rows.reduce((sum, row) => sum + row.runs, 0) }
}

/** What a disturbed run should have left: the undisturbed run's files, less the inputs where only the outputs were pulled. */
export function expectedReport(plain: Record<string, string>, report: Record<string, string>): Record<string, string> {
  const isPulled = !('error.txt' in report)
  const inputs = ['source.fir', 'error.txt']
  return Object.fromEntries(Object.entries(plain).filter(([name]) => !isPulled || !inputs.includes(name)))
}

export function runArguments(verb: 'run' | 'start', key: string): string[] {
  return [verb, 'circt', key, '--issues', 'issues.json', '--unsandboxed']
}

/** Starts a run, kills the victim, starts it again, and waits for the end. */
export async function survive(place: Place, env: ToolEnv, disturbance: Disturbance): Promise<Survival> {
  return disturbance.victim === 'CLI'
    ? await killCli(place, env, disturbance)
    : await killWorker(place, env, disturbance)
}

async function killWorker(place: Place, env: ToolEnv, { key, victim, when, size }: Disturbance): Promise<Survival> {
  makeCase(place.root, key, size)
  const first = await startWorker(place, env)
  const started = await place.run(runArguments('start', key))
  if (started.exit !== 0) throw new Error(`gauntlet start: ${started.stderr}`)
  const kill = await killAt(place, { key, when, worker: first, withServer: victim !== 'worker' })
  const second = await startWorker(place, env)
  const readyAfterMs = Date.now() - second.startedAt
  const orphans = stillThere(place, kill.orphans)
  const witness = await openWitness(place.home, `circt/${key}`)
  const moved = await witness.movedAfter(second.startedAt)
  await until(`the end of ${key}`, () => witness.isClosed())
  const into = join(place.root, `${key}-pulled`)
  const pulled = await place.run(['pull', key, '--into', into])
  if (pulled.exit !== 0) throw new Error(`gauntlet pull: ${pulled.stderr}`)
  const stories = await witness.stories()
  await witness.close()
  await second.kill('SIGTERM')
  return {
    victim,
    ...kill,
    orphans,
    readyAfterMs,
    movedAfterMs: since(second.startedAt, moved),
    reduction: reductionIn(into),
    report: reportOf(into),
    stories,
  }
}

async function killCli(place: Place, env: ToolEnv, { key, victim, when, size }: Disturbance): Promise<Survival> {
  const folder = makeCase(place.root, key, size)
  const first = place.start(runArguments('run', key), env)
  await first.hears(`${key} started`)
  const kill = await killAt(place, { key, when, worker: first, withServer: false })
  // Before the second command: it stops the server when the run is over, and the server survived the first one.
  const witness = await openWitness(place.home, `circt/${key}`)
  const second = place.start(runArguments('run', key), env)
  await second.hears('there already')
  const readyAfterMs = Date.now() - second.startedAt
  const orphans = stillThere(place, kill.orphans)
  const moved = await witness.movedAfter(second.startedAt)
  await until(`the end of ${key}`, () => witness.isClosed())
  const stories = await witness.stories()
  await witness.close()
  const { exit, stderr } = await second.ended
  if (exit !== 0) throw new Error(`the second command ended with exit ${exit}: ${stderr}`)
  return {
    victim,
    ...kill,
    orphans,
    readyAfterMs,
    movedAfterMs: since(second.startedAt, moved),
    reduction: reductionIn(folder),
    report: reportOf(folder),
    stories,
  }
}

export async function startWorker(place: Place, env: ToolEnv, args: readonly string[] = []): Promise<Cli> {
  mkdirSync(place.home, { recursive: true })
  const worker = place.start(['worker', ...args], env)
  await worker.hears('worker on')
  return worker
}

interface Kill {
  key: string
  when: Disturbance['when']
  worker: Cli
  withServer: boolean
}

async function killAt(place: Place, { key, when, worker, withServer }: Kill) {
  const witness = await openWitness(place.home, `circt/${key}`)
  const startedAt = await witness.startedAt()
  const isTime = typeof when === 'number' ? () => Date.now() - startedAt >= when : () => when(witness)
  await until('the moment of the kill', isTime)
  const under = (await witness.pending()).filter(({ isStarted }) => isStarted)
  const progress = MinimizeProgress.safeParse(under.find(({ name }) => name === 'minimizeCase')?.heartbeat)
  await witness.close()
  const killedAfterMs = Date.now() - startedAt
  const server = readServerRecord(place.home)?.owner?.pid
  if (withServer && server !== undefined) process.kill(server, 'SIGKILL')
  await worker.kill('SIGKILL')
  const left = progress.success ? progress.data : null
  return { during: under.map(({ name }) => name), killedAfterMs, left, orphans: await orphansOf(place) }
}

function since(startedAt: number, moved: number | null): number | null {
  return moved === null ? null : moved - startedAt
}

/** Numbers between 0 and 1 that a seed repeats (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The seed of this test run: GAUNTLET_CHAOS_SEED repeats one. It stands in the titles, so a failure tells it. */
export const chaosSeed = Number(process.env['GAUNTLET_CHAOS_SEED'] ?? Date.now() % 1_000_000)
