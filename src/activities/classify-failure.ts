import { ApplicationFailure } from '@temporalio/common'
import { Failure } from '../contracts/failures.js'

interface Row {
  /** Whether the row is about this error. */
  fits: (error: unknown) => boolean
  as: (error: unknown) => Failure
}

/** What comes out of tools and agents, first fit. What fits no row is a bug, or a lost worker, and is left to surface. */
const ROWS: readonly Row[] = [
  { fits: (error) => error instanceof Failure, as: (error) => error as Failure },
  {
    fits: (error) => ['ENOSPC', 'EDQUOT', 'EROFS'].includes(codeOf(error)),
    as: (error) =>
      new Failure('Tool.Failed', `the worker's disk is full or read-only (${codeOf(error)})`, { cause: error }),
  },
  {
    fits: (error) => ['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'].includes(codeOf(error)),
    as: (error) => new Failure('Tool.Failed', `the worker is out of resources (${codeOf(error)})`, { cause: error }),
  },
]

/**
 * The one place where an error becomes Temporal's. Classified failures are never retried by Temporal: the seeds' retries are
 * counted in the workflow, where a person sees them (`rules/retry.ts`); Temporal's are kept for workers that were lost, or that
 * lack what another one has.
 */
export function classifyFailure(error: unknown): unknown {
  const row = ROWS.find((each) => each.fits(error))
  if (row === undefined) return error
  const { type, message, details, retryAfterMs, isLocal, cause } = row.as(error)
  return ApplicationFailure.create({
    type,
    message,
    nonRetryable: !isLocal,
    ...(isLocal ? { nextRetryDelay: '500 milliseconds' } : {}),
    details: [{ ...details, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }],
    ...(cause instanceof Error ? { cause } : {}),
  })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
