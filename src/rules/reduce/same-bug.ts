import type { CrashSignature } from '../../contracts/crash-signature.js'
import { compareSignatures } from '../circt/match-signatures.js'
import { isInternalFrame } from '../circt/signature-frames.js'

/**
 * Whether a smaller source still shows the bug. Stricter than `compareSignatures`, since both come from the same program, run alike:
 * another kind is another bug, and so is a death outside any pass when the reference died in one. Frames that one side does not have
 * are held against it only where a debugger was asked on both sides (`hasFrames`). Sharing no frame but the pass's entry says no more
 * than the pass, and does not count.
 */
export function isSameBug(
  reference: CrashSignature,
  seen: CrashSignature,
  { hasFrames }: { hasFrames: boolean },
): boolean {
  if (seen.kind !== reference.kind) return false
  if ((seen.failing_pass === null) !== (reference.failing_pass === null)) return false
  if (hasFrames && (seen.frames.length === 0) !== (reference.frames.length === 0)) return false
  return compareSignatures(reference, seen) !== 'different' && haveCommonPlace(reference.frames, seen.frames)
}

function haveCommonPlace(reference: readonly string[], seen: readonly string[]): boolean {
  if (reference.length === 0 || seen.length === 0 || reference[0] === seen[0]) return true
  if (reference.every(isInternalFrame) && seen.every(isInternalFrame)) return true
  return reference.some((frame) => seen.includes(frame) && !frame.endsWith('::runOnOperation'))
}
