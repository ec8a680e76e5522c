import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommitId, RepositoryRef } from '../../contracts/git.js'
import { transportOf } from '../../rules/git/repository-url.js'
import { codeOf } from '../process/error-code.js'

/**
 * What a ref of a repository on this machine names, read as git keeps it, which saves starting git; null when it is not there,
 * undefined where only git can tell.
 */
export async function refOnDisk({ url }: RepositoryRef, ref: string): Promise<CommitId | null | undefined> {
  const place = transportOf(url)
  if (place.kind === 'remote' || !isPlain(place.path)) return undefined
  const loose = await textOf(join(place.path, ref))
  if (loose !== null) return /^([0-9a-f]{40}|[0-9a-f]{64})\n$/.exec(loose)?.[1]
  // Looked at second, as git does: what is packed is written before the loose one goes.
  const packed = await textOf(join(place.path, 'packed-refs'))
  const line = packed?.split('\n').find((each) => each.endsWith(` ${ref}`))
  return line?.slice(0, -ref.length - 1) ?? null
}

/** A bare repository of its own, whose refs are files. */
function isPlain(folder: string): boolean {
  const isThere = (name: string) => existsSync(join(folder, name))
  return isThere('HEAD') && isThere('objects') && isThere('refs') && !isThere('commondir') && !isThere('reftable')
}

async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'latin1')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(codeOf(error) ?? '')) return null
    throw error
  }
}
