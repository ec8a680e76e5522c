import { Failure } from '../../contracts/failures.js'
import type { ProcessLimits, RunProcess } from '../../contracts/process.js'
import type { ArtifactStore } from '../../contracts/store.js'
import type { Git } from '../git/git.js'
import type { Env } from '../state-home.js'

/** What the tools of the phase pipeline work with. */
export interface PhaseBox {
  git: Git
  store: ArtifactStore
  /** Folder for scratch folders, absolute. */
  scratchRoot: string
  run: RunProcess
  isSandboxed: boolean
  env: Env
  signal: AbortSignal
  /** Of each command; the gates' own where there are none. */
  limits?: ProcessLimits
}

/** Throws `Failure('Tool.Missing')` when a project's programs would run without a sandbox that nobody agreed to do without. */
export function checkSandbox({ isSandboxed }: PhaseBox, order: { allow_unsandboxed: boolean }): void {
  if (isSandboxed || order.allow_unsandboxed) return
  throw new Failure(
    'Tool.Missing',
    'sandbox: expected bubblewrap on the worker, found none; install it, or agree with --unsandboxed',
  )
}
