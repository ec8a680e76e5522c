import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { acquireLock } from '../owned-file.js'
import type { Progress } from './progress-meter.js'

/** One place something can be had from. */
export interface DownloadSource {
  /** For a person: 'the Temporal download site'. */
  name: string
  /** Puts the checked files into the empty folder `into`; throws an `Error` with one short line when it cannot. */
  fetch(into: string): Promise<void>
}

export interface DownloadRequest {
  /** Folder of all downloads. */
  cache: string
  /** Name of this one, a single path segment. */
  name: string
  label: string
  sources: readonly DownloadSource[]
  progress: Progress
}

/** `folder` holds the checked files, or `tried` says why each source failed. */
export type DownloadResult = { folder: string } | { tried: string[] }

/**
 * Fetches something once per machine: into a private folder first, renamed only when complete, under a lock so that a second
 * asker waits and takes what the first one fetched. Sources are tried in order.
 */
export async function cachedDownload(request: DownloadRequest): Promise<DownloadResult> {
  const folder = join(request.cache, request.name)
  if (existsSync(folder)) return { folder }
  const lock = await acquireLock(join(request.cache, `.${request.name}.lock`), {
    waitMs: longestFetchMs,
    note: `fetching ${request.label}`,
    onWait: (holder) => request.progress(`waiting for process ${holder.owner.pid}, which is fetching ${request.label}`),
  })
  try {
    if (existsSync(folder)) return { folder }
    removeLeftovers(request)
    return await fetchFromFirst(request, folder)
  } finally {
    lock.release()
  }
}

/** No single program or download may run longer. */
export const longestFetchMs = 15 * 60_000

async function fetchFromFirst(request: DownloadRequest, folder: string): Promise<DownloadResult> {
  const tried: string[] = []
  for (const source of request.sources) {
    const draft = mkdtempSync(join(request.cache, draftPrefix(request)))
    try {
      request.progress(`fetching ${request.label} from ${source.name}`)
      await source.fetch(draft)
      renameSync(draft, folder)
      return { folder }
    } catch (error) {
      if (!(error instanceof Error)) throw error
      tried.push(`${source.name}: ${firstLine(error.message)}`)
    } finally {
      rmSync(draft, { recursive: true, force: true })
    }
  }
  return { tried }
}

/** Drafts of killed processes: nobody else writes one while we hold the lock. */
function removeLeftovers(request: DownloadRequest): void {
  const drafts = readdirSync(request.cache).filter((name) => name.startsWith(draftPrefix(request)))
  for (const name of drafts) rmSync(join(request.cache, name), { recursive: true, force: true })
}

function draftPrefix(request: DownloadRequest): string {
  return `.draft-${request.name}-`
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, 200)
}
