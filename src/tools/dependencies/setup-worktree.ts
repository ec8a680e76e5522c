import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure } from '../../contracts/failures.js'
import type { ProcessLimits, RunProcess } from '../../contracts/process.js'
import { redactUrls } from '../../rules/git/repository-url.js'
import { cachedDownload } from '../download/cached-download.js'
import { withScratch } from '../folder/scratch.js'
import { findPython } from '../gates/find-python.js'
import { GATE_LIMITS, type GateBox, isRealFolder } from '../gates/gate-box.js'
import { runCommand } from '../gates/run-command.js'
import type { Env } from '../state-home.js'
import type { InstallPlan } from './install-plan.js'
import { placeDependencies } from './place-dependencies.js'
import { planNode } from './plan-node.js'
import { planPython } from './plan-python.js'

export interface SetupOrder {
  /** The files of an attempt, absolute, before anybody worked there. */
  folder: string
  /** State home, absolute: installed dependencies are kept in `deps`. */
  home: string
  run: RunProcess
  isSandboxed: boolean
  /** Of the person: where programs and package indexes are found. */
  env: Env
  signal: AbortSignal
  limits?: ProcessLimits
}

export type SetupResult =
  | { status: 'nothing'; details: string }
  /** `folders`: what was put into the worktree, relative. `isFresh`: installed now, not taken from the cache. */
  | { status: 'ready'; details: string; folders: readonly string[]; isFresh: boolean; notes: readonly string[] }

/**
 * Makes a worktree ready for its own tests: dependencies are installed once for each lockfile, in a folder of their own that holds
 * nothing else of the project, with the network, in the sandbox, running nothing that packages bring; then copied in, never linked.
 * Throws `Failure('Tool.Failed')` with the installer's last lines in `details.tail`, `Failure('Tool.TimedOut')`, and
 * `Failure('Tool.Missing')`.
 */
export async function setupWorktree(order: SetupOrder): Promise<SetupResult> {
  const { signal } = order
  signal.throwIfAborted()
  return await withScratch(join(order.home, 'scratch'), async (scratch) => {
    const box = await openBox(order, scratch)
    const node = await planNode(box, order.folder)
    const plan =
      'nothing' in node && node.nothing === 'has no package.json' ? await planPython(box, order.folder) : node
    if ('nothing' in plan) return { status: 'nothing', details: `the project ${plan.nothing}` }
    const { cached, isFresh } = await installOnce(order, plan, box)
    const folders = await placeDependencies(cached, order.folder)
    const details = `${isFresh ? 'installed' : 'taken from the cache'}: ${plan.label}`
    return { status: 'ready', details, folders, isFresh, notes: plan.notes }
  })
}

async function openBox(
  { run, isSandboxed, env, signal, limits, folder }: SetupOrder,
  scratch: string,
): Promise<GateBox> {
  const copy = join(scratch, 'project')
  await mkdir(copy)
  const bare = { run, isSandboxed, copy, scratch, env, limits: limits ?? LIMITS, signal }
  // Python is only looked for where it is needed: starting it takes a while.
  const python = existsSync(join(folder, 'package.json')) ? null : await findPython(bare)
  return { ...bare, python }
}

/** Ten minutes and 20 GiB: a large set of packages over a slow network. */
const LIMITS: ProcessLimits = { ...GATE_LIMITS, timeMs: 600_000, diskBytes: 20 * 1024 ** 3 }

async function installOnce(
  order: SetupOrder,
  plan: InstallPlan,
  box: GateBox,
): Promise<{ cached: string; isFresh: boolean }> {
  const name = createHash('sha256').update(plan.identity).digest('hex').slice(0, 32)
  const install: { failure: unknown; isFresh: boolean } = { failure: null, isFresh: false }
  const fetch = async (into: string) => {
    try {
      await installInto(plan, box, into)
      install.isFresh = true
    } catch (error) {
      install.failure = error
      throw error
    }
  }
  const cache = join(order.home, 'deps')
  const found = await cachedDownload({
    cache,
    name,
    label: plan.label,
    sources: [{ name: plan.label, fetch }],
    progress: () => {},
  })
  if ('tried' in found) throw install.failure
  const now = new Date()
  await utimes(found.folder, now, now)
  return { cached: found.folder, isFresh: install.isFresh }
}

async function installInto(plan: InstallPlan, box: GateBox, into: string): Promise<void> {
  box.signal.throwIfAborted()
  for (const [path, content] of plan.files) await writeInto(box.copy, path, content)
  for (const command of plan.commands) {
    const end = await runCommand(box, command, { hasNetwork: true })
    if ('missing' in end) throw new Failure('Tool.Missing', `dependencies of ${plan.label}: ${end.missing}`)
    if (end.isGood) continue
    const isLate = end.stopped?.includes('did not end within') === true
    throw new Failure(isLate ? 'Tool.TimedOut' : 'Tool.Failed', `dependencies of ${plan.label}: ${end.ending}`, {
      details: { command: end.command, tail: redactUrls(end.tail) },
    })
  }
  for (const [path, content] of plan.extra) await writeInto(box.copy, path, content)
  const made = plan.folders.filter((folder) => isRealFolder(join(box.copy, folder)))
  for (const folder of made) {
    const place = join(into, 'tree', folder)
    await mkdir(dirname(place), { recursive: true })
    await rename(join(box.copy, folder), place)
  }
  await writeFile(join(into, 'made.json'), JSON.stringify({ folders: made, origin: box.copy }))
}

async function writeInto(folder: string, path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), content)
}
