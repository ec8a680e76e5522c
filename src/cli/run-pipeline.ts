import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { ArtifactStore } from '../contracts/store.js'
import { EXIT } from '../rules/cli-exit-codes.js'
import { queueOf } from '../rules/task-queues.js'
import { openProjection, type Projection } from '../tools/case-folder/project-files.js'
import type { Context, Output } from './command.js'
import { describeEnd } from './describe-end.js'
import { openEngine, type Engine, type EngineOptions } from './engine.js'
import { followRun } from './follow-run.js'
import { liveProgress } from './live-progress.js'
import { noticingProjection } from './noticing-projection.js'
import { openStore } from './open-store.js'
import { followLineOf, shownPath } from './run-places.js'
import { forgetRun, registerRun } from './run-registry.js'
import { openSession } from './session.js'
import { type RunStart, startRun, type StartedRun } from './start-run.js'
import { hasPoller } from './task-queue-pollers.js'
import { temporalSource } from './temporal-source.js'

/** A run as a pipeline's command wants it. */
export interface RunPlan {
  start: RunStart
  /** Where the run's files are written while it is followed, absolute; null when it has none. */
  folder: string | null
  /** Called once the run is known, before its first files are written. */
  beforeFiles?: (runId: string) => Promise<void>
  /** 0 takes every default at once: nobody is there to ask. */
  answerWithinSeconds: number
  /** The signal by which the run hears that a file of its was lost or broken, and has been written again. */
  rewrittenSignal?: string
}

/** Makes the plan once the store is open: inputs are uploaded before anything is started. */
export type Planner = (store: ArtifactStore) => Promise<RunPlan>

/** Starts (or attaches to) a run and follows it to its end, with a server and a worker of our own. */
export async function runPipeline(
  context: Context,
  options: Omit<EngineOptions, 'note'>,
  planner: Planner,
): Promise<Output> {
  const store = await openStore(options.storePath)
  const plan = await planner(store)
  const engine = await openEngine(context, { ...options, note: 'run' })
  try {
    const started = await startRun(engine.client, plan.start, { storeId: engine.storeId })
    await openFolder(context, plan, { ...started, storePath: options.storePath })
    sayStart(context, started, engine)
    return await follow(context, { engine, started, store, plan })
  } finally {
    await engine.close()
  }
}

/** As `runPipeline`, but returns at once; a worker elsewhere does the work. */
export async function startPipeline(context: Context, storePath: string, planner: Planner): Promise<Output> {
  const store = await openStore(storePath)
  const plan = await planner(store)
  const session = await openSession(context, 'start')
  try {
    const { ensureSearchAttributes } = await import('../workers/search-attributes.js')
    await ensureSearchAttributes(session.client.connection, session.server.namespace)
    const { workflowId, runId, isNew } = await startRun(session.client, plan.start, { storeId: store.id })
    await openFolder(context, plan, { workflowId, runId, storePath })
    const hasWorker = await hasPoller(session, queueOf(store.id))
    const json = { workflow_id: workflowId, run_id: runId, is_new: isNew, has_worker: hasWorker }
    const lines = [workflowId, `follow it with \`gauntlet watch ${workflowId}\``]
    if (!isNew) lines.push('it was there already with the same input')
    if (!hasWorker) lines.push('no worker is running: start one with `gauntlet worker`, or `gauntlet up`')
    return { exit: EXIT.good, json, text: lines.join('\n') }
  } finally {
    await session.close()
  }
}

interface OpenedRun {
  workflowId: string
  runId: string
  storePath: string
}

async function openFolder({ home }: Context, plan: RunPlan, run: OpenedRun): Promise<void> {
  await plan.beforeFiles?.(run.runId)
  if (plan.folder === null) return
  await registerRun(home, { workflow_id: run.workflowId, folder: plan.folder, store: run.storePath })
}

function sayStart({ terminal }: Context, { workflowId, isNew }: StartedRun, { server }: Engine): void {
  terminal.note(
    isNew
      ? `${workflowId} started`
      : `${workflowId} is there already with the same input: this is that run (another --key starts a new one)`,
  )
  if (server.uiUrl !== null) terminal.note(`Temporal UI while this runs: ${server.uiUrl}`)
}

interface Followed {
  engine: Engine
  started: StartedRun
  store: ArtifactStore
  plan: RunPlan
}

async function follow(context: Context, { engine, started, store, plan }: Followed): Promise<Output> {
  const { workflowId, runId } = started
  const revive = () => engine.revive()
  const source = temporalSource({ client: () => engine.client, workflowId, runId, store, revive })
  const inPlace = new Set<string>()
  const { folder } = plan
  const follower = liveProgress({
    terminal: context.terminal,
    projection: folder === null ? null : projectionOf(context, { engine, started, store, plan }, folder),
    inPlace,
    takesDefaults: plan.answerWithinSeconds === 0,
  })
  const followLine = followLineOf(workflowId)
  const onLeave = () => context.terminal.note('the worker stops first; Ctrl-C again does not wait for it')
  context.signal.addEventListener('abort', onLeave, { once: true })
  const end = await followRun(source, follower, { signal: context.signal, followLine })
  context.signal.removeEventListener('abort', onLeave)
  await forgetRun(context.home, workflowId)
  const shown = folder === null ? null : shownPath(context, folder)
  const isThere = (path: string) => lstatSync(join(folder ?? '', path), { throwIfNoEntry: false })?.isFile() === true
  return describeEnd(end, { folder: shown, files: [...inPlace].filter(isThere), workflowId })
}

function projectionOf(
  { terminal }: Context,
  { engine, started, store, plan: { rewrittenSignal } }: Followed,
  folder: string,
): Projection {
  const projection = openProjection(folder, store, (line) => terminal.note(line))
  if (rewrittenSignal === undefined) return projection
  const { workflowId, runId } = started
  const tell = (what: string) => {
    const told = engine.client.workflow.getHandle(workflowId, runId).signal(rewrittenSignal, what)
    // The run may be over by now: then nobody needs to hear of it.
    told.catch((error: unknown) => terminal.note(error instanceof Error ? error.message : String(error)))
  }
  return noticingProjection(projection, {
    folder,
    onRewritten: (path) => {
      terminal.note(`${path} was lost or broken, and has been written again`)
      tell(`${path} was lost or broken`)
    },
    onRefused: (reason) => {
      terminal.note(`${reason}; the run goes on without`)
      tell(reason)
    },
  })
}
