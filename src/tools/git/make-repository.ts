import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { appendFile, readdir, rename, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isLeftBehind, ownerMark } from '../folder/owner-mark.js'
import { removeTree } from '../folder/remove-tree.js'
import { codeOf } from '../process/error-code.js'
import type { Git } from './git.js'
import { runGit } from './run-git.js'

export interface NewRepository {
  objectFormat: 'sha1' | 'sha256'
  /** True keeps what was written through a power cut, at the price of waiting for the disk. */
  isDurable: boolean
  /** Fills it before anybody sees it. */
  fill: (draft: string) => Promise<void>
}

/** Makes a bare repository whole or not at all. False when somebody else was faster: then theirs is there. */
export async function makeRepository(git: Git, folder: string, order: NewRepository): Promise<boolean> {
  const parent = dirname(folder)
  mkdirSync(parent, { recursive: true, mode: 0o700 })
  const draft = join(parent, `${HIDDEN}${ownerMark()}-${randomBytes(6).toString('hex')}`)
  mkdirSync(draft, { mode: 0o700 })
  try {
    const args = ['init', '--quiet', '--bare', '--template=', `--object-format=${order.objectFormat}`]
    await runGit(git, { args: [...args, draft], writable: [draft] })
    if (order.isDurable) await appendFile(join(draft, 'config'), DURABLE)
    await order.fill(draft)
    await rename(draft, folder)
    return true
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '') && existsSync(folder)) return false
    throw error
  } finally {
    await removeTree(draft)
  }
}

const DURABLE = '[core]\n\tfsync = committed,loose-object\n'

/** Of repositories that are being made or removed. */
const HIDDEN = '.part-'

/** Removes a repository of ours so that nobody ever finds half of it. Nothing happens when it is not there. */
export async function discardRepository(folder: string): Promise<void> {
  const away = join(dirname(folder), `${HIDDEN}${ownerMark()}-${basename(folder)}-${randomBytes(6).toString('hex')}`)
  try {
    await rename(folder, away)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  await removeTree(away)
}

/** Removes what killed processes were making or removing in a folder of repositories. Returns how many. */
export async function sweepParts(parent: string): Promise<number> {
  const names = existsSync(parent) ? await readdir(parent) : []
  let removed = 0
  for (const name of names.filter((each) => each.startsWith(HIDDEN))) {
    const path = join(parent, name)
    if (!isLeftBehind(name.slice(HIDDEN.length), (await stat(path)).mtime)) continue
    await removeTree(path)
    removed++
  }
  return removed
}
