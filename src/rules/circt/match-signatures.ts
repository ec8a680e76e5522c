import type { CrashKind, CrashSignature } from '../../contracts/crash-signature.js'
import { isInternalFrame } from './signature-frames.js'
import { isDeath, isEndless } from './signature.js'

export type SignatureMatch = 'same' | 'similar' | 'different'

/**
 * Whether `seen` shows the bug of `reference`: what both know must agree, what either does not know (null pass, no frames) is not held against it.
 *
 * 1. The kind comes first. A process that died (crash, assertion, fatal error) is at most `similar` across those three, since a build without
 *    assertions runs on into a crash; ways of not coming to an end are `similar`; any other two kinds are `different`.
 * 2. Two known passes that differ are `different` (`Canonicalizer` and `CanonicalizerPass` are one name).
 * 3. Messages decide verifier errors, diagnostics, fatal errors and assertions: equal is `same`, the first 50 characters of an assertion `similar`.
 * 4. Frames decide crashes: the same innermost own frame is `same`, any own frame in common `similar`, none `different`. MLIR's own
 *    functions alone decide nothing once the pass agrees: after a use-after-free the innermost one depends on the input.
 * The exit code is never looked at, and another signal makes a `same` only `similar`.
 */
export function compareSignatures(reference: CrashSignature, seen: CrashSignature): SignatureMatch {
  const verdicts = [compareKinds(reference, seen), comparePasses(reference, seen), compareMessages(reference, seen)]
  return worst([...verdicts, compareFrames(reference, seen), compareSignals(reference, seen)])
}

/** True for a run that says or shows nothing of a failure of the compiler's that is known: a flaky one did not come up. */
export function isFailureHidden(known: CrashSignature | null, { kind }: CrashSignature): boolean {
  const isFailure = known !== null && (isDeath(known.kind) || isEndless(known.kind))
  return isFailure && (kind === 'diagnostic' || kind === 'none')
}

function worst(verdicts: readonly SignatureMatch[]): SignatureMatch {
  if (verdicts.includes('different')) return 'different'
  return verdicts.includes('similar') ? 'similar' : 'same'
}

function compareKinds(reference: CrashSignature, seen: CrashSignature): SignatureMatch {
  if (reference.kind === seen.kind) return 'same'
  const family = FAMILY_OF[reference.kind]
  return family !== null && family === FAMILY_OF[seen.kind] ? 'similar' : 'different'
}

const FAMILY_OF = {
  crash: 'died',
  assertion: 'died',
  fatal_error: 'died',
  hang: 'no end',
  memory: 'no end',
  runaway: 'no end',
  verifier_error: null,
  diagnostic: null,
  interesting: null,
  none: null,
} satisfies Record<CrashKind, string | null>

function comparePasses(reference: CrashSignature, seen: CrashSignature): SignatureMatch {
  if (reference.failing_pass === null || seen.failing_pass === null) return 'same'
  return passKey(reference.failing_pass) === passKey(seen.failing_pass) ? 'same' : 'different'
}

function passKey(pass: string): string {
  return pass.split('::').at(-1)?.replace(/Pass$/, '').toLowerCase() ?? pass
}

/** Signatures of different kinds carry messages of different sorts, which cannot be compared. */
function compareMessages(reference: CrashSignature, seen: CrashSignature): SignatureMatch {
  if (reference.kind !== seen.kind || reference.message === seen.message) return 'same'
  if (reference.message === null || seen.message === null) return 'similar'
  const isSameStart = reference.kind === 'assertion' && reference.message.slice(0, 50) === seen.message.slice(0, 50)
  return isSameStart ? 'similar' : 'different'
}

function compareFrames(reference: CrashSignature, seen: CrashSignature): SignatureMatch {
  if (reference.frames.length === 0 || seen.frames.length === 0) return 'same'
  if (reference.frames[0] === seen.frames[0]) return 'same'
  if (reference.frames.some((frame) => seen.frames.includes(frame))) return 'similar'
  if (hasEqualMessage(reference, seen)) return 'similar'
  const isInternalOnly = reference.frames.every(isInternalFrame) || seen.frames.every(isInternalFrame)
  const isPassKnown = reference.failing_pass !== null && seen.failing_pass !== null
  return isInternalOnly && isPassKnown ? 'similar' : 'different'
}

/** The text of an assertion names the bug by itself. */
function hasEqualMessage(reference: CrashSignature, seen: CrashSignature): boolean {
  return reference.kind === seen.kind && reference.message !== null && reference.message === seen.message
}

function compareSignals(reference: CrashSignature, seen: CrashSignature): SignatureMatch {
  const isComparable = reference.signal !== null && seen.signal !== null && reference.kind === seen.kind
  return isComparable && reference.signal !== seen.signal ? 'similar' : 'same'
}
