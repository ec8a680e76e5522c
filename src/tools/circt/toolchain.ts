import { readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { CirctTool } from '../../contracts/circt.js'
import { Failure } from '../../contracts/failures.js'
import type { RunProcess } from '../../contracts/process.js'
import { cachedDownload, type DownloadSource } from '../download/cached-download.js'
import type { Progress } from '../download/progress-meter.js'
import { findProgram } from '../find-program.js'
import { createRunner } from '../process/runner.js'
import { downloadCache, type Env } from '../state-home.js'
import type { Toolchain } from './circt-box.js'
import { type Asking, folderToolchain, toolFolder, versionFolders, versionOf } from './toolchain-folder.js'
import { defaultToolchain, pinsFor } from './toolchain-pins.js'
import { toolchainSources, type ToolchainOrder } from './toolchain-sources.js'

export interface ToolchainOptions {
  /** See `stateHome`. */
  home: string
  env: Env
  /** --circt-bin: a folder with the programs, or one with `firtool-VERSION` folders. Null falls back to CIRCT_BIN. */
  circtBin: string | null
  progress: Progress
  /** Runs what is asked for its version; without one, bounded but without walls. */
  run?: RunProcess
  /** Where pinned toolchains come from; for tests. */
  sourcesOf?: (order: ToolchainOrder) => DownloadSource[]
}

export interface Toolchains {
  /** The toolchain for a version, or what is there when that one cannot be had: `version` tells. Throws `Failure('Tool.Missing')`. */
  toolchainFor(version: string | null): Promise<Toolchain>
}

/** Finds CIRCT toolchains, and fetches the pinned ones when they are not there; each version is looked for once. */
export function createToolchains(options: ToolchainOptions): Toolchains {
  const found = new Map<string | null, Promise<Toolchain>>()
  return {
    toolchainFor: (version) => {
      const known = found.get(version) ?? findToolchain(options, version)
      found.set(version, known)
      // A failed download may succeed the next time.
      known.catch(() => found.delete(version))
      return known
    },
  }
}

async function findToolchain(options: ToolchainOptions, version: string | null): Promise<Toolchain> {
  const local = await localToolchains(options, version)
  const fits = local.find((toolchain) => version === null || toolchain.version === version || toolchain.isChosen)
  if (fits !== undefined) return folderToolchain(fits.folder, fits.version)
  const fetched = await fetchPinned(options, version ?? defaultToolchain)
  if ('folder' in fetched) return folderToolchain(fetched.folder, version ?? defaultToolchain)
  const instead = local[0]
  if (instead !== undefined) return folderToolchain(instead.folder, instead.version)
  if (version === null || version === defaultToolchain) throw noToolchain(version, fetched.tried)
  // Nothing is there, and the asked one is not to be had: the one we know best.
  const last = await fetchPinned(options, defaultToolchain)
  if ('folder' in last) return folderToolchain(last.folder, defaultToolchain)
  throw noToolchain(version, [...fetched.tried, ...last.tried])
}

interface LocalToolchain {
  folder: string
  version: string | null
  /** The user named exactly this one: it serves whatever version is asked for. */
  isChosen: boolean
}

/** What is on this machine, best first: the named folder, PATH, what was fetched before. A named folder hides the others. */
async function localToolchains(options: ToolchainOptions, version: string | null): Promise<LocalToolchain[]> {
  const named = options.circtBin ?? options.env['CIRCT_BIN']
  const fetched = fetchedToolchains(downloadCache(options.home, options.env), version)
  if (named) return [...(await namedToolchains(resolve(named), options)), ...fetched]
  const onPath = CirctTool.options.map((tool) => findProgram(tool, options.env)).find((path) => path !== null)
  if (onPath === undefined) return fetched
  const folder = dirname(onPath)
  return [{ folder, version: await versionOf(folder, askingOf(options)), isChosen: false }, ...fetched]
}

function askingOf({ home, run = createRunner({ sandbox: 'none' }) }: ToolchainOptions): Asking {
  return { run, scratchRoot: join(home, 'scratch') }
}

async function namedToolchains(named: string, options: ToolchainOptions): Promise<LocalToolchain[]> {
  const direct = toolFolder(named)
  if (direct !== null) {
    return [{ folder: direct, version: await versionOf(direct, askingOf(options)), isChosen: true }]
  }
  const several = versionFolders(named)
  if (several.length > 0) return several.map((entry) => ({ ...entry, isChosen: several.length === 1 }))
  const expected = 'expected firtool, circt-opt, … or folders firtool-VERSION in it'
  throw new Failure('Tool.Missing', `no CIRCT programs in the folder of --circt-bin or CIRCT_BIN: ${expected}`)
}

/** The asked version first, without one the default; the others are something to fall back on. */
function fetchedToolchains(cache: string, version: string | null): LocalToolchain[] {
  const versions = readdirSync(cache).flatMap((name) => /^circt-(\d+\.\d+\.\d+)$/.exec(name)?.[1] ?? [])
  const wanted = version ?? defaultToolchain
  const order = versions.sort((a, b) => Number(b === wanted) - Number(a === wanted))
  return order.map((name) => ({ folder: join(cache, `circt-${name}`), version: name, isChosen: false }))
}

type Fetched = { folder: string } | { tried: string[] }

async function fetchPinned(options: ToolchainOptions, version: string): Promise<Fetched> {
  const { home, env, progress } = options
  const pins = pinsFor(version)
  if (pins === null)
    return { tried: [`CIRCT ${version} is not among the known ones for ${process.platform}-${process.arch}`] }
  const sources = (options.sourcesOf ?? toolchainSources)({ version, ...pins, env, progress })
  const cache = downloadCache(home, env)
  return cachedDownload({ cache, name: `circt-${version}`, label: `CIRCT ${version}`, sources, progress })
}

function noToolchain(version: string | null, tried: readonly string[]): Failure {
  const name = version === null ? 'CIRCT' : `CIRCT ${version}`
  const advice = 'put its programs on PATH, or name their folder with --circt-bin or CIRCT_BIN'
  const all = ['PATH: no CIRCT program', ...tried].join('; ')
  return new Failure('Tool.Missing', `${name} is not there and could not be fetched: ${advice}. Tried: ${all}`)
}

/** What CIRCT programs are there without fetching anything, in words for a person; null when there are none. For `doctor`. */
export async function describeLocalToolchain(options: ToolchainOptions): Promise<string | null> {
  const [first] = await localToolchains(options, null)
  if (first === undefined) return null
  return `CIRCT ${first.version ?? 'of unknown version'}`
}
