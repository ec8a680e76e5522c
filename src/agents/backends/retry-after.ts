/**
 * Milliseconds a server asks us to wait, or null: 'retry-after-ms', else 'retry-after' as seconds or as a date (RFC 9110, 10.2.3).
 * @param now milliseconds of the epoch
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | null {
  const wait =
    fromNumber(headers['retry-after-ms'], 1) ??
    fromNumber(headers['retry-after'], 1000) ??
    fromDate(headers['retry-after'], now)
  return wait === null ? null : Math.min(Math.max(0, Math.ceil(wait)), longestMs)
}

/** A day: some servers tell when a month's quota is renewed. */
const longestMs = 24 * 3_600_000

function fromNumber(text: string | undefined, unitMs: number): number | null {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) * unitMs : null
}

function fromDate(text: string | undefined, now: number): number | null {
  const at = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(at) ? null : at - now
}
