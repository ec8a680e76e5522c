import { Failure } from '../contracts/failures.js'
import { EXIT, exitCodeOfFailure, type ExitCode } from '../rules/cli-exit-codes.js'
import { plainLine } from '../rules/cli-progress.js'

/** A person pressed Ctrl-C; the message says how to follow what goes on. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** How a command ends that did not end by itself: one line, never a stack trace. */
export interface CliError {
  exit: ExitCode
  type: string
  /** One line. */
  message: string
}

/** First fit. What fits no row is a bug of ours: exit 3, and GAUNTLET_DEBUG=1 shows where. */
export function describeError(error: unknown): CliError {
  if (error instanceof Interrupted)
    return { exit: EXIT.interrupted, type: error.name, message: plainLine(error.message) }
  if (error instanceof Failure) {
    return { exit: exitCodeOfFailure(error.type), type: error.type, message: plainLine(error.message) }
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const disk = DISK[code]
  if (disk !== undefined) return { exit: EXIT.mistake, type: 'Contract.Violated', message: `disk: ${disk}` }
  const message = error instanceof Error ? error.message : String(error)
  return {
    exit: EXIT.engine,
    type: 'Error',
    message: `unexpected: ${plainLine(message).slice(0, 500)}; GAUNTLET_DEBUG=1 says more`,
  }
}

/** The person's disk, not our bug. */
const DISK: Record<string, string> = {
  ENOSPC: 'expected some free space in GAUNTLET_HOME and the case folder, got a full disk (ENOSPC)',
  EDQUOT: 'expected some free space in GAUNTLET_HOME and the case folder, got a used-up quota (EDQUOT)',
  EROFS: 'expected a writable GAUNTLET_HOME and case folder, got a read-only file system (EROFS)',
  EACCES: 'expected a GAUNTLET_HOME and a case folder that this user may write, got a refusal (EACCES)',
}

/** A mistake in what was typed, in the one form that all of them have. */
export function mistake(field: string, expected: string, came: string): Failure {
  return new Failure('Contract.Violated', `${field}: expected ${expected}, got ${came}`)
}
