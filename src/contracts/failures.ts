/**
 * The closed list of failure types. Each is a wire name: it is the `type` of the `ApplicationFailure` in history. Without zod: failures are
 * known where nothing is parsed, and a command that only sends an order starts faster so.
 */
export const FAILURE_TYPES = [
  'Contract.Violated',
  'Agent.InvalidAnswer',
  'Agent.Unavailable',
  'Agent.Rejected',
  'Tool.Missing',
  'Tool.Failed',
  'Tool.TimedOut',
  'Git.Conflict',
  'GitHub.Limited',
  'GitHub.Denied',
  'Case.Incomplete',
  'Budget.Exhausted',
] as const
export type FailureType = (typeof FAILURE_TYPES)[number]

export interface FailureOptions {
  /** Earliest useful moment for another try, in milliseconds from now (a server's rate-limit header). */
  retryAfterMs?: number
  /** Small, safe facts for whoever reads the history: no paths of the user's machine, no secrets. */
  details?: Record<string, unknown>
  cause?: unknown
  /** True when it is this worker that lacks something: another one may do. */
  isLocal?: boolean
}

/** What tools, agents and the CLI throw when something on the closed list happens; activities turn it into Temporal's own. */
export class Failure extends Error {
  readonly type: FailureType
  readonly retryAfterMs: number | undefined
  readonly details: Record<string, unknown>
  readonly isLocal: boolean

  constructor(type: FailureType, message: string, options: FailureOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'Failure'
    this.type = type
    this.retryAfterMs = options.retryAfterMs
    this.details = options.details ?? {}
    this.isLocal = options.isLocal ?? false
  }
}
