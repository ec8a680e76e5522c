import { createHash } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { Failure } from '../contracts/failures.js'
import { parseJson } from '../contracts/parse.js'
import { readBounded } from '../tools/folder/read-bounded.js'
import { writeWhole } from '../tools/folder/write-whole.js'

/** Where a run that was started on this host keeps its files: one small file per workflow id in the state home. */
export const RegisteredRun = z.object({
  workflow_id: z.string().min(1),
  /** The user's folder, absolute. */
  folder: z.string().min(1),
  /** The artifact store its worker uses, absolute. */
  store: z.string().min(1),
})
export type RegisteredRun = z.infer<typeof RegisteredRun>

export async function registerRun(home: string, run: RegisteredRun): Promise<void> {
  await mkdir(registryOf(home), { recursive: true, mode: 0o700 })
  await writeWhole(registryOf(home), fileOf(run.workflow_id), `${JSON.stringify(run)}\n`)
}

/** Null when the run was not started here, or is over and its files are written. */
export async function registeredRun(home: string, workflowId: string): Promise<RegisteredRun | null> {
  return await readEntry(join(registryOf(home), fileOf(workflowId)))
}

export async function registeredRuns(home: string): Promise<RegisteredRun[]> {
  await mkdir(registryOf(home), { recursive: true, mode: 0o700 })
  const names = (await readdir(registryOf(home))).filter((name) => name.endsWith('.json'))
  const entries = await Promise.all(names.map((name) => readEntry(join(registryOf(home), name))))
  return entries.filter((entry) => entry !== null)
}

export async function forgetRun(home: string, workflowId: string): Promise<void> {
  await rm(join(registryOf(home), fileOf(workflowId)), { force: true })
}

function registryOf(home: string): string {
  return join(home, 'runs')
}

/** Workflow ids hold slashes and colons. */
function fileOf(workflowId: string): string {
  return `${createHash('sha256').update(workflowId).digest('hex').slice(0, 32)}.json`
}

/** A file that is gone or broken is no entry: nothing but a live projection depends on it. */
async function readEntry(path: string): Promise<RegisteredRun | null> {
  try {
    return parseJson(RegisteredRun, (await readBounded(path, 20_000)).toString('utf8'), 'run registry')
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}
