import { lstat, mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { removeTree } from '../folder/remove-tree.js'
import { codeOf } from '../process/error-code.js'
import { copyProject, type ProjectCopy, showSome } from './copy-project.js'
import { cacheFolders, isRealFolder } from './gate-box.js'
import { ignoredPaths, type IgnoredOrder } from './ignored-paths.js'
import { UNITTEST_FILE } from './python-plans.js'
import { UNITTEST_PROGRAM } from './python-unittest.js'

export interface Workspace {
  /** Absolute. */
  copy: string
  notes: readonly string[]
  /** In one line which of the project's own files are gone or changed since the last look; null for none. Looks anew each time. */
  changes(): Promise<string | null>
  /** Takes what is there now as it should be. */
  accept(): Promise<void>
  /** A fresh copy in the place of this one. */
  renew(): Promise<void>
}

/** Copies a project into `scratch`, a folder of ours that is removed when the gates are over. */
export async function openWorkspace(order: IgnoredOrder & { leaveOut: readonly string[] }): Promise<Workspace> {
  const { scratch, repo, leaveOut } = order
  const copy = projectFolder(scratch)
  await mkdir(join(scratch, 'git'))
  const ignored = await ignoredPaths({ ...order, scratch: join(scratch, 'git') })
  return await workspaceOf(scratch, () => copyProject({ from: repo, to: copy, ignored, leaveOut }))
}

/** A workspace in `scratch` whose empty folder `project` is filled by `fill`, again for every fresh copy. */
export async function workspaceOf(scratch: string, fillProject: () => Promise<ProjectCopy>): Promise<Workspace> {
  const copy = projectFolder(scratch)
  await mkdir(join(scratch, 'tools'))
  await writeFile(join(scratch, 'tools', UNITTEST_FILE), UNITTEST_PROGRAM)
  const fill = async () => {
    await mkdir(copy)
    const made = await fillProject()
    const dependencies = join(copy, 'node_modules')
    if (isRealFolder(dependencies))
      for (const name of cacheFolders) await mkdir(join(dependencies, name), { recursive: true })
    return made
  }
  const { files, notes } = await fill()
  let marks = await marksOf(copy, files)
  return {
    copy,
    notes,
    changes: async () => describeChanges(marks, await marksOf(copy, files)),
    accept: async () => {
      marks = await marksOf(copy, files)
    },
    renew: async () => {
      await discard(copy, scratch)
      await fill()
      marks = await marksOf(copy, files)
    },
  }
}

/** Where a workspace is. */
export function projectFolder(scratch: string): string {
  return join(scratch, 'project')
}

/** Moved away first: what is removed may hold a great deal. The folder itself may be gone when there is no sandbox. */
async function discard(copy: string, scratch: string): Promise<void> {
  const old = (await readdir(scratch)).filter((name) => name.startsWith('old-')).length
  const place = join(scratch, `old-${old}`)
  if (isRealFolder(copy)) await rename(copy, place)
  await removeTree(place)
  await removeTree(copy)
}

type Marks = ReadonlyMap<string, string>

/** The time of the last change to a file's inode cannot be set by a program, so no change goes unseen. */
async function marksOf(copy: string, files: readonly string[]): Promise<Marks> {
  const marks = new Map<string, string>()
  for (let at = 0; at < files.length; at += atOnce) {
    const some = files.slice(at, at + atOnce)
    const found = await Promise.all(some.map((path) => lstat(join(copy, path)).catch(nullWhenGone)))
    found.forEach((stats, index) => {
      const mark = stats === null ? 'gone' : `${stats.ino} ${stats.size} ${stats.ctimeMs}`
      marks.set(some[index] ?? '', mark)
    })
  }
  return marks
}

const atOnce = 64

function describeChanges(before: Marks, after: Marks): string | null {
  const gone = [...after].filter(([path, mark]) => mark === 'gone' && before.get(path) !== 'gone').map(([path]) => path)
  const changed = [...after]
    .filter(([path, mark]) => mark !== 'gone' && before.get(path) !== mark)
    .map(([path]) => path)
  const parts = [
    ...(gone.length > 0 ? [`removed ${gone.length} files of the project (${showSome(gone)})`] : []),
    ...(changed.length > 0 ? [`changed ${changed.length} files of the project (${showSome(changed)})`] : []),
  ]
  return parts.length === 0 ? null : parts.join(' and ')
}

function nullWhenGone(error: unknown): null {
  if (['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP'].includes(codeOf(error) ?? '')) return null
  throw error
}
