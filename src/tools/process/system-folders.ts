import { lstatSync, readlinkSync, type Stats } from 'node:fs'
import { codeOf } from './error-code.js'

/** Where a system keeps what programs need to start: libraries, interpreters, base tools. Never a home, never /etc as a whole. */
const programFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store']
const loaderFiles = ['/etc/ld.so.cache', '/etc/alternatives']
const networkFiles = [
  '/etc/resolv.conf',
  '/etc/hosts',
  '/etc/nsswitch.conf',
  '/etc/ssl',
  '/etc/pki',
  '/etc/ca-certificates',
]

/** The bubblewrap arguments that show the machine's own programs and libraries, read-only. */
export function systemArgv(hasNetwork: boolean): readonly string[] {
  const files = hasNetwork ? [...loaderFiles, ...networkFiles] : loaderFiles
  folders ??= programFolders.flatMap(folderArgv)
  return [...folders, ...files.flatMap((path) => ['--ro-bind-try', path, path])]
}

/** The same for all of a machine's life, and asked thousands of times. */
let folders: readonly string[] | undefined

/** True when the sandbox shows this absolute path without being asked. */
export function isSystemPath(path: string): boolean {
  return programFolders.some((folder) => path === folder || path.startsWith(`${folder}/`))
}

/** /bin is a link to usr/bin on most systems and a folder on some; what is not there is left out. */
function folderArgv(path: string): string[] {
  const stats = statsOf(path)
  if (stats === null) return []
  return stats.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path]
}

function statsOf(path: string): Stats | null {
  try {
    return lstatSync(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}
