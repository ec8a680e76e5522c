import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { Failure } from '../../contracts/failures.js'
import type { ProcessOrder } from '../../contracts/process.js'
import { codeOf } from './error-code.js'
import { isSystemPath } from './system-folders.js'

/**
 * The program's path with all links followed. Throws `Failure('Tool.Missing')` when it is not an executable file and
 * `Failure('Contract.Violated')` when the order names folders it must not.
 */
export function checkOrder(order: ProcessOrder): string {
  for (const path of [order.cwd, ...(order.readable ?? []), ...(order.writable ?? [])]) {
    if (!isAbsolute(path) || path.includes('\0') || /^\/+$/.test(path))
      throw new Failure('Contract.Violated', `process order: expected an absolute path below the root, got "${path}"`)
  }
  for (const path of [order.cwd, ...(order.writable ?? [])]) checkFolder(path)
  return checkProgram(order.argv[0])
}

function checkFolder(folder: string): void {
  const real = existing(() => realpathSync.native(folder))
  const isFolder = real !== null && statSync(real).isDirectory()
  if (!isFolder) throw new Failure('Contract.Violated', `process order: the folder to run in does not exist: ${folder}`)
  const isWholeSystem = real === '/' || real === '/tmp' || isReserved(real)
  if (isWholeSystem)
    throw new Failure('Contract.Violated', `process order: ${folder} belongs to the system and cannot be made writable`)
}

/** Folders below /usr/local/src and the like may be somebody's work; the folders of the system themselves never are. */
function isReserved(path: string): boolean {
  const isKernels = ['/proc', '/sys', '/dev', '/etc', '/boot'].some(
    (each) => path === each || path.startsWith(`${each}/`),
  )
  return isKernels || (isSystemPath(path) && path.split('/').length <= 3)
}

function checkProgram(path: string): string {
  if (!isAbsolute(path)) throw new Failure('Tool.Missing', `expected the absolute path of a program, got "${path}"`)
  const real = existing(() => realpathSync.native(path))
  if (real === null) throw new Failure('Tool.Missing', `program not found: ${path}`)
  const isProgram = statSync(real).isFile() && isExecutable(real)
  if (!isProgram) throw new Failure('Tool.Missing', `not an executable file: ${path}`)
  return real
}

function isExecutable(path: string): boolean {
  return existing(() => accessSync(path, constants.X_OK)) !== null
}

/** Synchronous: a handful of questions the kernel answers from memory, where a thread each would cost more than the answer. */
function existing<T>(ask: () => T): T | null {
  try {
    return ask()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG'].includes(codeOf(error) ?? '')) return null
    throw error
  }
}
