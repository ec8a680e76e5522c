import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { RunProcess } from '../contracts/process.js'
import type { ArtifactStore } from '../contracts/store.js'
import { openLocalStore } from '../tools/artifacts/local-store.js'
import { sweepScratch } from '../tools/folder/scratch.js'
import { type Git, openGit } from '../tools/git/git.js'
import { createPool } from '../tools/process/pool.js'
import { createRunner } from '../tools/process/runner.js'
import { detectSandbox } from '../tools/process/sandbox.js'
import type { Env } from '../tools/state-home.js'

/** What the activities of every pipeline share on one worker. */
export interface Workbench {
  /** State home, absolute. */
  home: string
  env: Env
  store: ArtifactStore
  /** Where attempts get their scratch folders; what dead owners left there is swept at the start. */
  scratchRoot: string
  /** Programs of the tools lane, all activities together at most `parallelism` at once. */
  run: RunProcess
  /** The same runner without waiting for a slot: for git, and for agents, which wait on others and start programs themselves. */
  runAtOnce: RunProcess
  /** Opened when it is needed first: not every pipeline has a repository. */
  git: () => Promise<Git>
  isSandboxed: boolean
  parallelism: number
}

export interface WorkbenchOptions {
  home: string
  env: Env
  /** Folder of the artifact store. */
  storePath: string
  /** Default: one per core. */
  slots?: number | undefined
}

/** Opens the store, ends and removes what killed processes left, and looks for a sandbox. */
export async function openWorkbench({ home, env, storePath, slots }: WorkbenchOptions): Promise<Workbench> {
  const store = await openLocalStore(storePath)
  const scratchRoot = join(home, 'scratch')
  await sweepScratch(scratchRoot)
  const sandbox = await detectSandbox(scratchRoot)
  const parallelism = slots ?? availableParallelism()
  const runAtOnce = createRunner(
    sandbox.kind === 'none' ? { sandbox: 'none' } : { sandbox: sandbox.kind, bwrapPath: sandbox.path },
  )
  return {
    home,
    env,
    store,
    scratchRoot,
    run: createPool(runAtOnce, parallelism),
    runAtOnce,
    git: remembered(() => openGit({ home, env, run: runAtOnce })),
    isSandboxed: sandbox.kind !== 'none',
    parallelism,
  }
}

/** Asks once; what failed is asked again. */
function remembered<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | null = null
  return async () => {
    opened ??= open()
    try {
      return await opened
    } catch (error) {
      opened = null
      throw error
    }
  }
}
