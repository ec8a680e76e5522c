import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { extractMembers, sha256Of } from '../download/archive-member.js'
import { longestFetchMs, type DownloadSource } from '../download/cached-download.js'
import { fetchFile } from '../download/fetch-file.js'
import type { Progress } from '../download/progress-meter.js'
import { runProgram } from '../download/run-program.js'
import type { Env } from '../state-home.js'
import { programFile } from './toolchain-folder.js'
import type { ToolPins } from './toolchain-pins.js'

export interface ToolchainOrder {
  version: string
  /** CIRCT's word for the machine: 'linux-x64'. */
  platform: string
  tools: ToolPins
  env: Env
  progress: Progress
  /** Instead of CIRCT's releases; for tests. */
  releases?: string
}

/** Where a pinned toolchain can be had from, best first. Each checks every program against its pin. */
export function toolchainSources(order: ToolchainOrder): DownloadSource[] {
  return [
    { name: "CIRCT's release archive", fetch: (into) => fetchRelease(order, into) },
    { name: `Maven's llvm-firtool ${order.version}`, fetch: (into) => fetchMaven(order, into) },
  ]
}

async function fetchRelease(order: ToolchainOrder, into: string): Promise<void> {
  const work = freshFolder(into, 'release')
  const file = `firrtl-bin-${order.platform}.${order.platform.startsWith('windows') ? 'zip' : 'tar.gz'}`
  const url = `${order.releases ?? releases}/firtool-${order.version}/${file}`
  const archive = join(work, file)
  const label = `CIRCT ${order.version}`
  await fetchFile({ url, to: archive, label, progress: order.progress, maxBytes: maxArchiveBytes })
  const outcome = await runProgram({ argv: ['tar', '-xf', archive, '-C', work], env: order.env, timeMs: 300_000 })
  if (outcome.code !== 0) throw new Error(`tar could not unpack ${file} (${outcome.stderr.slice(0, 100)})`)
  const bin = join(work, `firtool-${order.version}`, 'bin')
  for (const name of existsSync(bin) ? readdirSync(bin) : []) {
    const tool = name.replace(/\.exe$/, '')
    if (Object.hasOwn(order.tools, tool)) renameSync(join(bin, name), join(into, programFile(tool)))
  }
  await checkTools(order, into)
  rmSync(work, { recursive: true })
}

const releases = 'https://github.com/llvm/circt/releases/download'
const maxArchiveBytes = 1_000_000_000

/** The jar holds the programs of all platforms; only this one's are unpacked. The client keeps the jar in its own repository. */
async function fetchMaven(order: ToolchainOrder, into: string): Promise<void> {
  const work = freshFolder(into, 'maven')
  const artifact = `org.chipsalliance:llvm-firtool:${order.version}:jar`
  const copy = ['dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${work}`]
  const limits = ['-Daether.connector.connectTimeout=10000', '-Daether.connector.requestTimeout=20000']
  const outcome = await runProgram({
    argv: ['mvn', '-q', '-B', ...limits, ...copy],
    env: order.env,
    timeMs: longestFetchMs,
  })
  if (outcome.ended === 'missing') throw new Error('mvn is not there')
  if (outcome.code !== 0) throw new Error(`mvn failed (${lastError(outcome.stdout)})`)
  const jar = join(work, `llvm-firtool-${order.version}.jar`)
  await extractMembers({ archive: jar, placeOf: (member) => jarPlace(order, member, into), maxBytes: 400e6 })
  await checkTools(order, into)
  rmSync(work, { recursive: true })
}

function jarPlace(order: ToolchainOrder, member: string, into: string): string | null {
  const prefix = `org.chipsalliance/llvm-firtool/${order.platform}/bin/`
  if (!member.startsWith(prefix)) return null
  const tool = member.slice(prefix.length).replace(/\.exe$/, '')
  return Object.hasOwn(order.tools, tool) ? join(into, programFile(tool)) : null
}

/** Throws unless every pinned program is there and is the pinned one. */
export async function checkTools(
  { tools, version }: Pick<ToolchainOrder, 'tools' | 'version'>,
  folder: string,
): Promise<void> {
  for (const [tool, sha256] of Object.entries(tools)) {
    const path = join(folder, programFile(tool))
    if (!existsSync(path)) throw new Error(`it holds no ${tool} of ${version}`)
    const found = await sha256Of(path)
    if (found !== sha256) throw new Error(`the SHA-256 of ${tool} ${version} is ${found}, expected ${sha256}: refused`)
  }
}

function freshFolder(into: string, name: string): string {
  const folder = join(into, name)
  mkdirSync(folder)
  return folder
}

/** Maven reports on stdout: '[ERROR] …'. Addresses are left out: they may carry passwords. */
function lastError(stdout: string): string {
  const line = stdout.split('\n').find((text) => text.startsWith('[ERROR]')) ?? 'no reason given'
  return line
    .replace('[ERROR] ', '')
    .replaceAll(/https?:\/\/\S+/g, '…')
    .slice(0, 160)
}
