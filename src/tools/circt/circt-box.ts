import type { CirctTool } from '../../contracts/circt.js'
import type { RunProcess } from '../../contracts/process.js'
import type { ArtifactStore } from '../../contracts/store.js'

/** Where the CIRCT programs of one version are. */
export interface Toolchain {
  /** '1.155.0', or null when the programs do not say. */
  version: string | null
  /** Absolute path of a tool. Throws `Failure('Tool.Missing')` naming the tool and how to get it. */
  pathOf(tool: CirctTool): string
  has(tool: CirctTool): boolean
}

/** What the tools of the circt pipeline are given: made once per activity attempt, in `activities/`. */
export interface CirctBox {
  /** Runs in the worker's pool of processes, sandboxed. */
  run: RunProcess
  store: ArtifactStore
  /** Finds (or fetches) the toolchain a command asks for. */
  toolchainFor(version: string | null): Promise<Toolchain>
  /** Absolute path of a fresh, private folder that is removed when the attempt ends. */
  scratch: string
  /** A CIRCT checkout of the worker's, or null. */
  circtSource: string | null
  /** gdb's absolute path, or null. */
  gdb: string | null
  /** How many processes of the pool one step may keep busy at once. */
  parallelism: number
  /** Cancelled, timed out or shutting down. */
  signal: AbortSignal
  /** Tells Temporal the attempt is alive and leaves `details` for the next attempt; small JSON. */
  heartbeat(details: unknown): void
  /** What the previous attempt's last heartbeat left, or undefined. */
  previous: unknown
}
