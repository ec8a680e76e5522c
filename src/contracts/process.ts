/** Shapes of one child process. They never cross a wire, so they are plain types. */

export interface ProcessLimits {
  /** Wall clock until the whole process tree is killed. */
  timeMs: number
  /** Resident memory of the whole tree. */
  memoryBytes: number
  /** stdout and stderr together, counted before anything is dropped. */
  outputBytes: number
  /** Processes and threads alive at once in the tree. */
  processes: number
  /** Largest single file the tree may write. */
  fileBytes: number
  /** All that the tree may write into its folders, looked at a few times a second; unbounded when absent. */
  diskBytes?: number
}

export interface ProcessOrder {
  /** Program and arguments, never given to a shell. The program is an absolute path. */
  argv: readonly [string, ...string[]]
  /** Absolute. With `writable` the only place besides a private /tmp that is writable in the sandbox. */
  cwd: string
  /** Further folders or files the program may read, absolute. System libraries are always readable. */
  readable?: readonly string[]
  /** Further folders the program may write, absolute and there already. They may lie within readable ones. */
  writable?: readonly string[]
  /** The whole environment: nothing is inherited. */
  env?: Readonly<Record<string, string>>
  /** Whole, or piece by piece while the program runs: an iterable without an end is a conversation. */
  stdin?: string | Uint8Array | AsyncIterable<string | Uint8Array>
  /** Told every piece of output as it comes, whether it is kept or not. Must not throw. */
  onOutput?: (chunk: Uint8Array, stream: 'stdout' | 'stderr') => void
  limits: ProcessLimits
  /** True gives the sandboxed program the host's network. */
  hasNetwork?: boolean
  /**
   * True for a program that reaches a network through a socket among its `readable` folders: in the sandbox it has none of its own,
   * but sees the machine's certificates, and may make namespaces for sandboxes of its own.
   */
  isProxied?: boolean
  /**
   * True for a program that has no business with any network, not even its own loopback: in the sandbox it is stopped at the first try.
   * Processes that it starts are too, but only they.
   */
  isOffline?: boolean
  /** True allows debugging another process of the same sandbox (gdb). */
  mayTrace?: boolean
  signal?: AbortSignal
}

/** Why the engine stopped a process, or null when it ended by itself. */
export type StopReason =
  | 'time'
  | 'memory'
  | 'output'
  | 'processes'
  | 'file_size'
  | 'disk_space'
  | 'network'
  | 'cancelled'
  | null

export interface ProcessOutcome {
  /** Null when a signal ended it. */
  exitCode: number | null
  /** 'SIGSEGV' and the like, of the program itself, also when a sandbox wrapped it; null on a plain exit. */
  signal: string | null
  stopped: StopReason
  /** The first and last part of each stream (see `maxKeptBytes`), as UTF-8 with replacement characters. */
  stdout: string
  stderr: string
  /** Bytes that came, whether kept or not. */
  stdoutBytes: number
  stderrBytes: number
  durationMs: number
  /** Highest resident memory seen for the tree, bytes. */
  peakMemoryBytes: number
  isSandboxed: boolean
  /** What the sandbox was seen to refuse: from the program's own words (best effort), the network of an offline one from its end too. */
  refused: readonly ('write_outside' | 'network')[]
}

/** Runs one process to its end. Throws `Failure('Tool.Missing')` when the program cannot be started; never for how it ends. */
export type RunProcess = (order: ProcessOrder) => Promise<ProcessOutcome>
