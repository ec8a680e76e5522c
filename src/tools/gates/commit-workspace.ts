import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { CommitId } from '../../contracts/git.js'
import { parseJson } from '../../contracts/parse.js'
import { type GatesConfig } from '../../contracts/quality.js'
import { baseScripts } from '../../rules/base-scripts.js'
import { together } from '../../rules/together.js'
import { setupWorktree, type SetupOrder } from '../dependencies/setup-worktree.js'
import { checkOut } from '../git/add-worktree.js'
import { ensureCommit, type Mirror } from '../git/mirror.js'
import { listTree, readBlob } from '../git/read-commit.js'
import { inScratch } from '../git/read-diff.js'
import type { ProjectCopy } from './copy-project.js'
import { readProject } from './project.js'
import { readReport } from './read-report.js'
import { projectFolder, type Workspace, workspaceOf } from './workspace.js'

export interface CommitOrder extends Pick<SetupOrder, 'run' | 'isSandboxed' | 'env' | 'signal'> {
  mirror: Mirror
  /** What is judged. */
  commit: CommitId
  /** Whose configuration and scripts it is judged by: what was there before anybody who is judged began. */
  base: CommitId
}

/** How a commit says that it is to be judged. */
export interface Bar {
  config: GatesConfig
  /** Of package.json; null when there is none. */
  scripts: Readonly<Record<string, string>> | null
}

/** Throws `Failure('Contract.Violated')` naming the file that does not fit. */
export async function barOf(mirror: Mirror, commit: CommitId): Promise<Bar> {
  const name = `${mirror.folder} ${commit}`
  const known = KNOWN.get(name)
  if (known !== undefined) return known
  const bar = await readBar(mirror, commit)
  if (KNOWN.size >= maxKnown) KNOWN.clear()
  KNOWN.set(name, bar)
  return bar
}

/** A commit never changes, and a run is judged by the same one from its beginning to its end. */
const KNOWN = new Map<string, Bar>()
const maxKnown = 100

async function readBar(mirror: Mirror, commit: CommitId): Promise<Bar> {
  return await inScratch(mirror, async (folder) => {
    for (const path of ['package.json', 'gauntlet.json']) {
      const blob = await readBlob(mirror, { commit, path, maxBytes: 1_000_000 })
      if (blob.status === 'read') await writeFile(join(folder, path), blob.bytes)
    }
    const { config, manifest } = await readProject(folder)
    return { config, scripts: manifest?.scripts ?? null }
  })
}

/** A workspace with the files of a commit alone, its dependencies fresh from the cache, and the scripts of the base. */
export async function openCommitWorkspace(order: CommitOrder, bar: Bar, scratch: string): Promise<Workspace> {
  return await workspaceOf(scratch, () => fill(order, bar, scratch))
}

async function fill(order: CommitOrder, { scripts }: Bar, scratch: string): Promise<ProjectCopy> {
  const { mirror, commit, run, isSandboxed, env, signal } = order
  const folder = projectFolder(scratch)
  // Fresh each time: by an old one git would think that its files are there.
  const index = join(await mkdtemp(join(scratch, 'git-')), 'index')
  await ensureCommit(mirror, commit)
  const [, { entries }] = await together(
    checkOut(mirror, commit, { folder, index }),
    listTree(mirror, commit, maxEntries),
  )
  const setup = await setupWorktree({ run, isSandboxed, env, signal, folder, home: mirror.git.home })
  const kept = scripts === null ? [] : await takeScripts(folder, scripts)
  const files = entries.filter(({ kind }) => kind !== 'submodule').map(({ path }) => path)
  const notes = setup.status === 'ready' ? setup.notes : [setup.details]
  return { files, notes: [...notes, ...kept] }
}

const maxEntries = 400_000
const Manifest = z.looseObject({ scripts: z.record(z.string(), z.string()).optional() })

/** A note when the scripts of the commit are not those it is judged by. */
async function takeScripts(folder: string, base: Readonly<Record<string, string>>): Promise<string[]> {
  const text = await readReport(folder, 'package.json')
  if (text === null) return []
  const manifest = parseJson(Manifest, text, 'package.json')
  const { scripts, kept } = baseScripts(base, manifest.scripts ?? {})
  if (kept.length === 0) return []
  await writeFile(join(folder, 'package.json'), `${JSON.stringify({ ...manifest, scripts }, null, 2)}\n`)
  return [`scripts of package.json were changed, and judged as they were before: ${kept.slice(0, 10).join(', ')}`]
}
