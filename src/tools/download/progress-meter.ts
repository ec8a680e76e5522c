import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { hasCode } from '../owner-process.js'

/** Told one plain line at a time, for a person. */
export type Progress = (line: string) => void

/** Returns a function that is told how many bytes have come, and says so at most every two seconds. */
export function progressMeter(label: string, totalBytes: number | null, progress: Progress): (bytes: number) => void {
  let spokeAt = Date.now()
  return (bytes) => {
    if (Date.now() - spokeAt < quietMs) return
    spokeAt = Date.now()
    const of = totalBytes ? ` of ${megabytes(totalBytes)} MB (${Math.floor((bytes / totalBytes) * 100)} %)` : ' MB'
    progress(`${label}: ${megabytes(bytes)}${of}`)
  }
}

const quietMs = 2000

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)
}

/** Bytes of all files below `folder`: how far a program that reports nothing has come. Files may vanish meanwhile. */
export function bytesBelow(folder: string): number {
  let bytes = 0
  for (const name of unlessGone(() => readdirSync(folder, { recursive: true, encoding: 'utf8' })) ?? []) {
    const entry = unlessGone(() => statSync(join(folder, name)))
    if (entry?.isFile()) bytes += entry.size
  }
  return bytes
}

function unlessGone<T>(look: () => T): T | null {
  try {
    return look()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}

/** True once `measure` has given the same number for `stallMs`: a download that stands still. */
export function stallWatch(measure: () => number, stallMs: number): () => boolean {
  let last = -1
  let movedAt = Date.now()
  return () => {
    const now = measure()
    if (now !== last) movedAt = Date.now()
    last = now
    return Date.now() - movedAt > stallMs
  }
}
