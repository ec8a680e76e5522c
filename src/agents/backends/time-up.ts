import { Failure } from '../../contracts/failures.js'

/** True when a signal fired because the time is over, and not because somebody or the worker's end wants it. */
export function isTimeUp(signal: AbortSignal): boolean {
  const reason: unknown = signal.reason
  if (reason instanceof Failure) return reason.type === 'Tool.TimedOut'
  return reason instanceof DOMException && reason.name === 'TimeoutError'
}
