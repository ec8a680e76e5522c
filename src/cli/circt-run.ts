import { join, relative, resolve } from 'node:path'
import { Failure } from '../contracts/failures.js'
import type { ArtifactStore } from '../contracts/store.js'
import { exitCodeOfFailure, exitCodeOfRun } from '../rules/cli-exit-codes.js'
import { plainLine } from '../rules/cli-progress.js'
import { checkWritable, openProjection, putCommandBack } from '../tools/case-folder/project-files.js'
import type { CaseRequest } from './case-request.js'
import { folderOption } from './case-request.js'
import { uploadCase } from './circt-input.js'
import { type CommandInput, type Context, hasOption, type Output, textOption } from './command.js'
import { openEngine, type Engine } from './engine.js'
import { followRun } from './follow-run.js'
import { liveProgress } from './live-progress.js'
import { openStore } from './open-store.js'
import type { RunEnd } from './run-end.js'
import { forgetRun, registerRun } from './run-registry.js'
import { startCirct, type StartedRun } from './start-run.js'
import { temporalSource } from './temporal-source.js'

export interface CirctRunOptions {
  storePath: string
  circtBin?: string | undefined
  circtSource?: string | undefined
  allowUnsandboxed: boolean
}

/** Starts (or attaches to) the run of a case and follows it to its end, with a server and a worker of our own. */
export async function runCirct(context: Context, request: CaseRequest, options: CirctRunOptions): Promise<Output> {
  const { allowUnsandboxed, ...engineOptions } = options
  await checkWritable(request.folder.path)
  const store = await openStore(options.storePath)
  const input = await uploadCase(request, store, allowUnsandboxed)
  const engine = await openEngine(context, { ...engineOptions, note: 'run' })
  try {
    const started = await startCirct(engine.client, input, { storeId: engine.storeId })
    await putCommandBack(request.folder.path, request.folder.earlier, started.runId)
    await registerRun(context.home, {
      workflow_id: started.workflowId,
      folder: request.folder.path,
      store: options.storePath,
    })
    sayStart(context, started, engine)
    return await follow(context, { engine, started, store, request })
  } finally {
    await engine.close()
  }
}

/** Same place as a worker's default: see `composeWorker`. */
export function storePathOf({ home, cwd, env }: Context, input: CommandInput): string {
  const given = textOption(input, 'store') ?? (env['GAUNTLET_STORE'] || undefined)
  return given === undefined ? join(home, 'store') : resolve(cwd, given)
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
  request: CaseRequest
}

async function follow(context: Context, { engine, started, store, request }: Followed): Promise<Output> {
  const { workflowId, runId } = started
  const source = temporalSource({
    client: () => engine.client,
    workflowId,
    runId,
    store,
    revive: () => engine.revive(),
  })
  const inPlace = new Set<string>()
  const folder = request.folder.path
  const follower = liveProgress({
    terminal: context.terminal,
    projection: openProjection(folder, store),
    inPlace,
    takesDefaults: request.answerWithinSeconds === 0,
  })
  const followLine = followLineOf(workflowId)
  const onLeave = () => context.terminal.note('the worker stops first; Ctrl-C again does not wait for it')
  context.signal.addEventListener('abort', onLeave, { once: true })
  const end = await followRun(source, follower, { signal: context.signal, followLine })
  context.signal.removeEventListener('abort', onLeave)
  await forgetRun(context.home, workflowId)
  return describeEnd(end, { folder: shownPath(context, folder), files: [...inPlace], workflowId })
}

/** As the person would type it. */
export function shownPath({ cwd }: Context, path: string): string {
  return relative(cwd, path) || '.'
}

export function followLineOf(workflowId: string): string {
  return `the run goes on when a worker is there; follow it with \`gauntlet watch ${workflowId}\``
}

export interface EndPlace {
  workflowId: string
  /** Of the person's folder as they would type it, and the run's files in it; null where none are. */
  folder: string | null
  files: readonly string[]
}

/** How a run ended: the document for programs; verdict, reason and files for people. */
export function describeEnd(end: RunEnd, { workflowId, folder, files }: EndPlace): Output {
  if ('failure' in end) {
    const { type, message } = end.failure
    return { exit: exitCodeOfFailure(type), json: { error: { type, message } }, text: `failed: ${plainLine(message)}` }
  }
  const { document } = end
  const lines = [`${document.verdict}: ${plainLine(document.reason)}`]
  if (folder !== null && files.length > 0)
    lines.push(`files in ${folder}: ${files.toSorted((a, b) => a.localeCompare(b)).join(', ')}`)
  lines.push(`again: gauntlet result ${workflowId}; in the Temporal UI: gauntlet up`)
  return { exit: exitCodeOfRun(document), json: document, text: lines.join('\n') }
}

/** True when the run may go without a sandbox: none is to be had, and the person agreed. Throws `Failure('Tool.Missing')` otherwise. */
export async function agreeOnSandbox(context: Context, input: CommandInput): Promise<boolean> {
  const { detectSandbox } = await import('../tools/process/sandbox.js')
  const sandbox = await detectSandbox()
  if (sandbox.kind !== 'none') return false
  const why = `no sandbox: ${sandbox.reason}`
  if (hasOption(input, 'unsandboxed')) {
    context.terminal.note(`${why}; going on unsandboxed, as asked`)
    return true
  }
  if (context.terminal.canAsk) {
    const line = await context.terminal.ask(`${why}. Run the case's programs without one? [y/N] `, context.signal)
    if (/^y(es)?$/i.test(line?.trim() ?? '')) return true
  }
  throw new Failure('Tool.Missing', `${why}; install bubblewrap, or agree with --unsandboxed`)
}

export async function circtPlaces(
  context: Context,
  input: CommandInput,
): Promise<Omit<CirctRunOptions, 'allowUnsandboxed'>> {
  return {
    storePath: storePathOf(context, input),
    circtBin: await folderOption(context, input, 'circtBin'),
    circtSource: await folderOption(context, input, 'circtSrc'),
  }
}
