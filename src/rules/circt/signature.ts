import type { CrashKind, CrashSignature } from '../../contracts/crash-signature.js'
import type { ProcessOutcome } from '../../contracts/process.js'
import { isVerifierMessage } from './error-text-diagnostics.js'
import { parseErrorText, type ErrorText } from './error-text.js'
import { ownFramesOf } from './signature-frames.js'
import { normaliseMessage } from './signature-message.js'

/** The part of a process's end that a signature is made of. */
export type SeenOutcome = Pick<ProcessOutcome, 'exitCode' | 'signal' | 'stopped' | 'stderr'>

/** What other runs found out: the crash reproducer's pass, a debugger's stack (demangled, innermost first). */
export interface SignatureExtras {
  failingPass?: string | null
  stack?: readonly string[]
}

/** The signature of one run. `kind: 'none'` is a clean exit. */
export function signatureOf(outcome: SeenOutcome, extras: SignatureExtras = {}): CrashSignature {
  const text = parseErrorText(outcome.stderr)
  const kind = kindOfOutcome(outcome, text)
  const seen = signatureOfKind(kind, text)
  return {
    ...seen,
    // The signal of a process that the engine stopped is the engine's own.
    signal: outcome.stopped === null ? outcome.signal : null,
    failing_pass: kind === 'none' ? null : (extras.failingPass?.slice(0, 200) ?? seen.failing_pass),
    message: seen.message ?? endWithoutWords(kind, outcome),
    frames: extras.stack?.length && hasStack(kind) ? ownFramesOf(extras.stack) : seen.frames,
  }
}

/** The signature an `error.txt` reports; null when the text is empty or tells nothing: the first run is then the reference. */
export function signatureOfErrorText(text: ErrorText): CrashSignature | null {
  const kind = kindOfText(text)
  return kind === null ? null : signatureOfKind(kind, text)
}

function signatureOfKind(kind: CrashKind, text: ErrorText): CrashSignature {
  return {
    kind,
    signal: text.signal,
    failing_pass: text.failingPass,
    message: messageOf(kind, text),
    frames: hasStack(kind) ? ownFramesOf(text.stack.map((frame) => frame.function)) : [],
  }
}

function kindOfOutcome(outcome: SeenOutcome, text: ErrorText): CrashKind {
  const stopped = kindOfStop(outcome.stopped)
  if (stopped !== null) return stopped
  if (isMemoryDeath(outcome, text)) return 'memory'
  if (outcome.signal !== null) return diedBySignal(text)
  if (outcome.exitCode === 0) return 'none'
  if (text.fatalError !== null) return 'fatal_error'
  const error = firstErrorOf(text)
  if (error === null) return 'fatal_error'
  return isVerifierMessage(error) ? 'verifier_error' : 'diagnostic'
}

function kindOfStop(stopped: ProcessOutcome['stopped']): CrashKind | null {
  return stopped === null || stopped === 'cancelled' ? null : STOPS[stopped].kind
}

/** Which limit the engine stopped a tool at, as a kind of failure and in words. */
const STOPS = {
  time: { kind: 'hang', message: null },
  memory: { kind: 'memory', message: null },
  output: { kind: 'runaway', message: 'output without end' },
  processes: { kind: 'runaway', message: 'processes without end' },
  file_size: { kind: 'runaway', message: 'a file that grows without end' },
  disk_space: { kind: 'runaway', message: 'files without end' },
  network: { kind: 'runaway', message: 'reaching for the network' },
} as const

/** SIGKILL that the engine did not send is the kernel's out-of-memory killer. */
function isMemoryDeath(outcome: SeenOutcome, text: ErrorText): boolean {
  if (outcome.signal === 'SIGKILL') return true
  return text.isOutOfMemory && (outcome.signal !== null || outcome.exitCode !== 0) && firstErrorOf(text) === null
}

function diedBySignal(text: ErrorText): CrashKind {
  if (text.assertion !== null) return 'assertion'
  return text.fatalError === null ? 'crash' : 'fatal_error'
}

function kindOfText(text: ErrorText): CrashKind | null {
  if (text.isEmpty) return null
  if (text.assertion !== null) return 'assertion'
  if (text.isOutOfMemory) return 'memory'
  if (text.fatalError !== null) return 'fatal_error'
  if (text.isCrash) return 'crash'
  if (text.isTimeout) return 'hang'
  const error = firstErrorOf(text)
  if (error === null) return null
  return isVerifierMessage(error) ? 'verifier_error' : 'diagnostic'
}

function messageOf(kind: CrashKind, text: ErrorText): string | null {
  if (kind === 'assertion') return assertionMessageOf(text)
  if (kind === 'fatal_error') return text.fatalError === null ? null : normaliseMessage(text.fatalError)
  if (kind === 'verifier_error' || kind === 'diagnostic') return normaliseMessage(firstErrorOf(text) ?? '') || null
  return null
}

/** Assertions are code: only blanks are made even. */
function assertionMessageOf(text: ErrorText): string | null {
  return text.assertion?.message.replace(/\s+/g, ' ').slice(0, 500) ?? null
}

/** A tool that gives up without a word, or without end, must not look like one that says something. */
function endWithoutWords(kind: CrashKind, outcome: SeenOutcome): string | null {
  if (kind === 'fatal_error' && outcome.signal === null)
    return `exit code ${outcome.exitCode ?? 'unknown'} without a diagnostic`
  const { stopped } = outcome
  return stopped === null || stopped === 'cancelled' ? null : STOPS[stopped].message
}

function firstErrorOf(text: ErrorText): string | null {
  return text.diagnostics.find((diagnostic) => diagnostic.severity === 'error')?.message ?? null
}

function hasStack(kind: CrashKind): boolean {
  return isDeath(kind) || isEndless(kind)
}

/** True when the compiler itself gave up. */
export function isDeath(kind: CrashKind): boolean {
  return kind === 'crash' || kind === 'assertion' || kind === 'fatal_error'
}

/** True when the compiler had to be stopped. */
export function isEndless(kind: CrashKind): kind is 'hang' | 'memory' | 'runaway' {
  return kind === 'hang' || kind === 'memory' || kind === 'runaway'
}
