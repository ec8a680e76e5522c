import type { CrashSignature } from '../../contracts/crash-signature.js'
import { isFailureHidden } from '../../rules/circt/match-signatures.js'
import { isWorthAnother } from '../../rules/circt/run-counts.js'
import { type CaseRun, runCase, type SeenCase } from './run-case.js'

/** One run, and further ones while a failure of the compiler's that is known does not come up and is worth another. Returns the last. */
export async function runUntilShown(run: CaseRun, known: CrashSignature | null): Promise<SeenCase> {
  const begun = performance.now()
  for (let runs = 1; ; runs += 1) {
    const seen = await runCase(run)
    const elapsedMs = performance.now() - begun
    if (!isFailureHidden(known, seen.signature) || !isWorthAnother({ runs, elapsedMs })) return seen
  }
}
