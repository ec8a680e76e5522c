import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import type { CommitId, CommitStamp } from '../../contracts/git.js'
import { commitMessage } from '../../rules/git/commit-message.js'
import { markWhole, type Mirror } from './mirror.js'

export interface NewCommit {
  /** Of the mirror, and all that it holds. */
  tree: string
  parents: readonly CommitId[]
  message: string
  stamp: CommitStamp
}

/**
 * Writes a commit into the mirror, byte for byte as `git commit-tree` does, which saves starting it. The same order is the same
 * commit.
 */
export async function writeCommit(mirror: Mirror, commit: NewCommit): Promise<CommitId> {
  const body = Buffer.from(textOf(commit), 'utf8')
  const object = Buffer.concat([Buffer.from(`commit ${body.length}\0`), body])
  const id = createHash(commit.tree.length === 64 ? 'sha256' : 'sha1')
    .update(object)
    .digest('hex')
  await writeObject(join(mirror.folder, 'objects', id.slice(0, 2)), id.slice(2), deflateSync(object))
  await markWhole(mirror, id)
  return id
}

/** Author and committer are the same: the engine commits. */
function textOf({ tree, parents, message, stamp }: NewCommit): string {
  const who = `${personal(stamp.name)} <${personal(stamp.email)}> ${Math.floor(Date.parse(stamp.at) / 1000)} +0000`
  const lines = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`), `author ${who}`, `committer ${who}`]
  return `${lines.join('\n')}\n\n${commitMessage(message)}`
}

/** What git takes off both ends of a name. */
function personal(name: string): string {
  return name.replaceAll(/^[\0- .,:;<>"'\\]+|[\0- .,:;<>"'\\]+$/g, '')
}

/** In one step: a reader finds it whole or not at all. The name while it is written is one that git sweeps. */
async function writeObject(folder: string, name: string, content: Buffer): Promise<void> {
  if (existsSync(join(folder, name))) return
  const draft = join(folder, `tmp_obj_${randomBytes(8).toString('hex')}`)
  await mkdir(folder, { recursive: true })
  await writeFile(draft, content, { mode: 0o444, flag: 'wx' })
  await rename(draft, join(folder, name))
}
