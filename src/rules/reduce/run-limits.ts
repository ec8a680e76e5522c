import type { CrashKind } from '../../contracts/crash-signature.js'
import type { ProcessLimits } from '../../contracts/process.js'

/** What is known of the reference run. */
export interface ReferenceRun {
  kind: CrashKind
  durationMs: number
}

/** Limits that differ from a plain run's: for the many quick runs, and for the few that decide. */
export interface RunLimits {
  quick: Partial<ProcessLimits>
  careful: Partial<ProcessLimits>
}

/**
 * Limits of oracle runs. A run may take ten times as long as the reference, at least 2 seconds (a busy machine), at most 30.
 * A hang takes its whole limit each time, so that the search uses 2 seconds where a healthy run of a case takes under one, and what it
 * finds is confirmed at 10; a memory blow-up is searched with a quarter of the memory and confirmed with all of it.
 */
export function runLimits(reference: ReferenceRun): RunLimits {
  if (reference.kind === 'hang') return { quick: { timeMs: 2_000 }, careful: { timeMs: 10_000 } }
  const timeMs = Math.min(30_000, Math.max(2_000, Math.ceil(reference.durationMs * 10)))
  if (reference.kind === 'memory') return { quick: { timeMs, memoryBytes: 512 * 1024 ** 2 }, careful: { timeMs } }
  return { quick: { timeMs }, careful: { timeMs } }
}
