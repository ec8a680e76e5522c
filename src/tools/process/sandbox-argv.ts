import type { ProcessOrder } from '../../contracts/process.js'
import { isBwrapSince } from './bwrap-version.js'
import { limitsArgv } from './limits-argv.js'
import { filterFd, filterOf } from './seccomp-filter.js'
import { isSystemPath, systemArgv } from './system-folders.js'

export interface Sandbox {
  /** bubblewrap's absolute path. */
  bwrap: string
}

/** The child's file descriptor on which bubblewrap says how the program ended. */
export const statusFd = 3

/**
 * The bubblewrap command in front of `order.argv`: everything private, and of the machine only the system's libraries, the
 * program itself, what the order names as readable or writable, and its folder. The environment is not here:
 * arguments are visible to every user of the machine, so variables travel in bubblewrap's own environment.
 * @param program the program's path with all links followed
 */
export function sandboxArgv(sandbox: Sandbox, order: ProcessOrder, program: string): [string, ...string[]] {
  const hasNetwork = order.hasNetwork === true
  const isOpen = hasNetwork || order.isProxied === true
  return [
    sandbox.bwrap,
    ...words('--unshare-all --die-with-parent --new-session --hostname sandbox --cap-drop ALL'),
    ...(hasNetwork ? ['--share-net'] : []),
    ...(isOpen ? [] : sealNamespaces(sandbox)),
    // Tracing needs no capability where the kernel lets a user trace; where it does not (Yama), this one, inside only.
    ...(order.mayTrace === true ? ['--cap-add', 'CAP_SYS_PTRACE'] : []),
    ...words(`--json-status-fd ${statusFd}`),
    ...(filterOf(order) === null ? [] : words(`--seccomp ${filterFd}`)),
    ...systemArgv(isOpen),
    ...words('--proc /proc --dev /dev'),
    ...tmpfs(sandbox, order, '/dev/shm'),
    ...tmpfs(sandbox, order, '/tmp'),
    // Empty, so that writing there is refused in plain words instead of failing for want of a folder.
    ...words('--dir /home --dir /root --dir /opt --dir /var --dir /etc --dir /run'),
    ...binds(order, program).flat(),
    ...words('--remount-ro /dev --remount-ro /'),
    ...sealProc(order.mayTrace === true),
    ...loaderVariables(order).flatMap(([name, value]) => ['--setenv', name, value]),
    '--chdir',
    order.cwd,
    '--',
    ...limitsArgv(order.limits, true),
    ...order.argv,
  ]
}

/**
 * A namespace of its own would give a program the kernel's less trodden paths to attack. Orders with a network are agents,
 * whose own sandboxes need namespaces.
 */
function sealNamespaces(sandbox: Sandbox): string[] {
  return isBwrapSince(sandbox.bwrap, 8) ? words('--unshare-user --disable-userns') : []
}

/**
 * The kernel lets root's processes write its settings (/proc/sys) by their user id, whatever rights they gave up, so a worker
 * run as root would hand them on. A debugger writes to the memory files of /proc: for it only the settings are sealed.
 */
function sealProc(mayTrace: boolean): string[] {
  if (!mayTrace) return words('--remount-ro /proc')
  return kernelSettings.flatMap((path) => ['--ro-bind-try', path, path])
}

const kernelSettings = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'acpi', 'scsi'].map((name) => `/proc/${name}`)

function words(line: string): string[] {
  return line.split(' ')
}

/** Variables that would steer bubblewrap itself, outside the sandbox, if it were given them as its own. */
export function isLoaderVariable(name: string): boolean {
  return /^(LD_|GLIBC_|MALLOC_|GCONV_PATH$|LOCPATH$|NLSPATH$)/.test(name)
}

function loaderVariables(order: ProcessOrder): [string, string][] {
  return Object.entries(order.env ?? {}).filter(([name]) => isLoaderVariable(name))
}

/** What is written to a tmpfs is memory, so a tmpfs may hold no more than the tree may use. */
function tmpfs(sandbox: Sandbox, order: ProcessOrder, path: string): string[] {
  // Older bubblewraps cannot bound it: then the machine's own bound holds, half of its memory.
  const size = isBwrapSince(sandbox.bwrap, 7) ? ['--size', String(Math.ceil(order.limits.memoryBytes))] : []
  return ['--perms', '1777', ...size, '--tmpfs', path]
}

/** Outer folders first: a later mount hides what lies under it. */
function binds(order: ProcessOrder, program: string): string[][] {
  const readable = new Set([...(order.readable ?? []), ...programPaths(order.argv[0], program)])
  const writable = new Set([order.cwd, ...(order.writable ?? [])])
  for (const path of writable) readable.delete(path)
  return [
    ...[...writable].map((path) => ['--bind', path, path]),
    ...[...readable].map((path) => ['--ro-bind-try', path === order.argv[0] ? program : path, path]),
  ].sort((a, b) => depthOf(a) - depthOf(b))
}

/** A program may look for its neighbours by its real path, so it is shown under both. */
function programPaths(named: string, real: string): string[] {
  return [named, real].filter((path) => !isSystemPath(path))
}

function depthOf(bind: readonly string[]): number {
  return (bind[2] ?? '').split('/').length
}
