import type { CrashSignature } from '../../contracts/crash-signature.js'
import { parseErrorText } from '../circt/error-text.js'
import { normaliseMessage } from '../circt/signature-message.js'

/** What a run complains of, without what differs between inputs of one bug. */
export function errorMessages(stderr: string): ReadonlySet<string> {
  const { diagnostics } = parseErrorText(stderr)
  return new Set(
    diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => normaliseMessage(message)),
  )
}

/**
 * Whether a smaller source complains of nothing else than the reference. Where the complaint is all there is to see, a source that is
 * broken besides would pass for the bug as long as the complaint still comes first; a compiler that dies is not asked.
 */
export function complainsAlike(kind: CrashSignature['kind'], reference: ReadonlySet<string>, stderr: string): boolean {
  if (kind !== 'diagnostic' && kind !== 'verifier_error') return true
  return [...errorMessages(stderr)].every((message) => reference.has(message))
}
