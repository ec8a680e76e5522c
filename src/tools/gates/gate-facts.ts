import type { GateResult } from '../../contracts/quality.js'
import type { NoPlan } from './gate-plan.js'
import type { CommandEnd } from './run-command.js'

/** What every gate says, before the quality config says whether it blocks. */
export type GateFacts = Omit<GateResult, 'isBlocking'>

export function ranNothing({ status, details }: NoPlan): GateFacts {
  return { status, details, command: null, seconds: 0, exitCode: null, tail: '' }
}

/** A gate whose program's exit code is the answer: it is what build tools and linters promise. */
export function byExitCode(end: CommandEnd, good: string): GateFacts {
  const { command, seconds, exitCode, tail, isGood, ending, stopped } = end
  const details = isGood ? good : (stopped ?? `ended with ${ending}`)
  return { status: isGood ? 'pass' : 'fail', details, command, seconds, exitCode, tail }
}
