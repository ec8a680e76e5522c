import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CirctTool } from '../../contracts/circt.js'
import { Failure } from '../../contracts/failures.js'
import type { ProcessLimits, RunProcess } from '../../contracts/process.js'
import { isProgram } from '../find-program.js'
import { withScratch } from '../folder/scratch.js'
import { CASE_LIMITS } from './case-limits.js'
import type { Toolchain } from './circt-box.js'

/** The toolchain whose programs lie in `folder`; `version` as `versionOf` tells it. */
export function folderToolchain(folder: string, version: string | null): Toolchain {
  const place = (tool: CirctTool) => join(folder, programFile(tool))
  return {
    version,
    has: (tool) => isProgram(place(tool)),
    pathOf: (tool) => {
      if (isProgram(place(tool))) return place(tool)
      const name = version === null ? 'this CIRCT toolchain' : `CIRCT ${version}`
      const advice = 'put --circt-bin or CIRCT_BIN to a folder that has it'
      throw new Failure('Tool.Missing', `${tool} is not part of ${name}: ${advice}`)
    },
  }
}

/** 'firtool', on Windows 'firtool.exe'. */
export function programFile(tool: string): string {
  return process.platform === 'win32' ? `${tool}.exe` : tool
}

/** The folder itself or its `bin`, whichever holds a CIRCT program; null when neither does. */
export function toolFolder(folder: string): string | null {
  const holdsTool = (place: string) => CirctTool.options.some((tool) => isProgram(join(place, programFile(tool))))
  return [folder, join(folder, 'bin')].find(holdsTool) ?? null
}

/** Folders `firtool-VERSION` below `folder` that hold programs, newest version first. */
export function versionFolders(folder: string): { version: string; folder: string }[] {
  if (!existsSync(folder)) return []
  const found = readdirSync(folder).flatMap((name) => {
    const version = /^firtool-(\d+\.\d+\.\d+)$/.exec(name)?.[1]
    const tools = version === undefined ? null : toolFolder(join(folder, name))
    return version === undefined || tools === null ? [] : [{ version, folder: tools }]
  })
  return found.sort((a, b) => compareVersions(b.version, a.version))
}

function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true })
}

/** How a program is asked for its version. */
export interface Asking {
  run: RunProcess
  /** Where its working folder is made. */
  scratchRoot: string
}

/** What the programs say their version is, else what the folder's name says, else null. Runs one of them, as any compiler is run. */
export async function versionOf(folder: string, asking: Asking): Promise<string | null> {
  const tool = CirctTool.options.map((name) => join(folder, programFile(name))).find((path) => isProgram(path))
  const told = tool === undefined ? undefined : /firtool-(\d+\.\d+\.\d+)/.exec(await saysOf(tool, asking))?.[1]
  if (told !== undefined) return told
  const named = basename(folder) === 'bin' ? basename(dirname(folder)) : basename(folder)
  return /(?:firtool|circt)-(\d+\.\d+\.\d+)$/.exec(named)?.[1] ?? null
}

/** '' of a program that cannot be run. */
async function saysOf(tool: string, { run, scratchRoot }: Asking): Promise<string> {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' }
  const order = { argv: [tool, '--version'], readable: [tool], env, isOffline: true, limits: VERSION_LIMITS } as const
  try {
    return (await withScratch(scratchRoot, (cwd) => run({ ...order, cwd }))).stdout
  } catch (error) {
    if (error instanceof Failure) return ''
    throw error
  }
}

const VERSION_LIMITS: ProcessLimits = { ...CASE_LIMITS, timeMs: 10_000, outputBytes: 1024 ** 2 }
