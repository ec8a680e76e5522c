import type { CrashSignature } from '../../contracts/crash-signature.js'
import { parseErrorText } from './error-text.js'
import { scrub } from './issue-text-scrub.js'
import { normaliseMessage } from './signature-message.js'

/**
 * The message of the failure as the tool printed it: the signature keeps it without names and numbers, and a script's has none at all.
 * Null when it says nothing.
 */
export function saidOf({ kind, message }: CrashSignature, errorLog: string): string | null {
  const { diagnostics, fatalError } = parseErrorText(errorLog)
  const [error] = diagnostics.filter(({ severity }) => severity === 'error')
  if (kind === 'interesting') return error === undefined ? null : scrub(withoutOperation(error.message), 'output')
  if (message === null) return null
  const printed = [fatalError, ...diagnostics.map((diagnostic) => withoutOperation(diagnostic.message))]
  const same = printed.find((each) => each !== null && normaliseMessage(each) === message) ?? null
  return scrub(same !== null && same.length <= MAX_LENGTH ? same : message, 'output')
}

/** MLIR prints the whole operation behind its message. */
function withoutOperation(message: string): string {
  return message.replace(/^(failed to legalize operation '[\w.]{1,100}').*$/, '$1')
}

const MAX_LENGTH = 200
