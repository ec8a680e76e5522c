import type { CrashSignature } from '../../contracts/crash-signature.js'
import { isFailureHidden } from '../../rules/circt/match-signatures.js'
import { type CaseRun, runCase, type SeenCase } from './run-case.js'

/** One run, and further ones, `most` in all, while a failure of the compiler's that is known does not come up. Returns the last. */
export async function runUntilShown(run: CaseRun, known: CrashSignature | null, most: number): Promise<SeenCase> {
  let seen = await runCase(run)
  for (let runs = 1; runs < most && isFailureHidden(known, seen.signature); runs += 1) seen = await runCase(run)
  return seen
}
