import { existsSync } from 'node:fs'
import { release } from 'node:os'
import type { ProcessLimits } from '../../contracts/process.js'

/**
 * The words put in front of a command so that the kernel holds what polling cannot: each program replaces itself by the
 * next, so none stays as a process. Empty where util-linux is not installed (macOS): the polled limits remain.
 */
export function limitsArgv(limits: ProcessLimits, isSandboxed: boolean): string[] {
  const prlimit = findTool('prlimit')
  const setpriv = isSandboxed ? null : findTool('setpriv')
  return [
    // bubblewrap has its own way to die with us; without it at least the program itself does.
    ...(setpriv === null ? [] : [setpriv, '--pdeathsig', 'KILL', '--']),
    ...(prlimit === null ? [] : [prlimit, ...kernelLimits(limits), ...(isSandboxed ? processLimit(limits) : []), '--']),
  ]
}

function kernelLimits(limits: ProcessLimits): string[] {
  return ['--core=0', `--fsize=${Math.ceil(limits.fileBytes)}`, `--data=${dataBytes(limits)}`]
}

/**
 * Since Linux 5.14 processes are counted for each user namespace, so inside a sandbox this means the sandbox's own; before
 * it meant all of the user's. Root is never held to it. Twice the limit, so that passing the limit is seen and named.
 */
function processLimit(limits: ProcessLimits): string[] {
  const [major = 0, minor = 0] = release().split('.').map(Number)
  const isPerSandbox = major > 5 || (major === 5 && minor >= 14)
  return isPerSandbox && process.getuid?.() !== 0 ? [`--nproc=${2 * Math.ceil(limits.processes)}`] : []
}

/**
 * RLIMIT_DATA, not RLIMIT_AS: sanitizers and language runtimes reserve address space by the terabyte without using it. It
 * only stops what outruns the poll (a single huge allocation), so it stands well above the limit itself.
 */
export function dataBytes(limits: ProcessLimits): number {
  return 2 * Math.ceil(limits.memoryBytes) + 1024 ** 3
}

export function hasKernelLimits(): boolean {
  return findTool('prlimit') !== null
}

const found = new Map<string, string | null>()

function findTool(name: string): string | null {
  const known = found.get(name)
  if (known !== undefined) return known
  const path = ['/usr/bin', '/bin'].map((folder) => `${folder}/${name}`).find((each) => existsSync(each)) ?? null
  found.set(name, path)
  return path
}
