import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import type { CommitStamp, RepositoryRef } from '../../src/contracts/git.js'
import { removeTree } from '../../src/tools/folder/remove-tree.js'
import { addWorktree, type Worktree } from '../../src/tools/git/add-worktree.js'
import { type Git, openGit } from '../../src/tools/git/git.js'
import { type Mirror, openMirror } from '../../src/tools/git/mirror.js'
import { createRunRepository, runRepositoryFolder } from '../../src/tools/git/run-repository.js'
import { createRunner } from '../../src/tools/process/runner.js'
import { detectSandbox } from '../../src/tools/process/sandbox.js'

const sandbox = await detectSandbox()
export const hasSandbox = sandbox.kind === 'bubblewrap'
export const runner = createRunner(
  sandbox.kind === 'bubblewrap' ? { sandbox: 'bubblewrap', bwrapPath: sandbox.path } : { sandbox: 'none' },
)

const folders: string[] = []
afterAll(async () => {
  for (const folder of folders) await removeTree(folder)
})

export function freshFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gauntlet-git-')))
  folders.push(folder)
  return folder
}

/** A file's text, a link's target or null for "remove". */
export type Files = Readonly<Record<string, string | { link: string } | { text: string; mode: number } | null>>

export function put(folder: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    const place = join(folder, path)
    rmSync(place, { recursive: true, force: true })
    if (content === null) continue
    mkdirSync(dirname(place), { recursive: true })
    if (typeof content === 'string') writeFileSync(place, content)
    else if ('link' in content) symlinkSync(content.link, place)
    else writeFileSync(place, content.text)
    if (typeof content !== 'string' && 'mode' in content) chmodSync(place, content.mode)
  }
}

/** Plain git, as a person would use it, free of the machine's configuration. */
export function git(folder: string, ...args: string[]): string {
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@example.org',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@example.org',
  }
  return execFileSync('git', args, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}

/** A person's repository with one commit. */
export function aRepository(files: Files, ...init: string[]): string {
  const folder = freshFolder()
  git(folder, 'init', '--quiet', '--initial-branch=main', ...init)
  put(folder, files)
  git(folder, 'add', '--all', '--force')
  git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'first')
  return folder
}

export async function aGit(home = freshFolder()): Promise<Git> {
  return await openGit({ home, env: process.env, run: runner })
}

export interface Run {
  source: string
  git: Git
  repository: RepositoryRef
  mirror: Mirror
  base: string
}

/** A run that begins with these files. */
export async function aRun(files: Files, ...init: string[]): Promise<Run> {
  const source = aRepository(files, ...init)
  const opened = await aGit()
  const into = { url: runRepositoryFolder(opened, 'run') }
  const order = { git: opened, source: { url: source }, base: 'HEAD', run: 'r1', into }
  const { repository, base } = await createRunRepository(order)
  return { source, git: opened, repository, base, mirror: await openMirror(opened, repository) }
}

export async function anAttempt({ mirror, base }: Run, commit = base): Promise<Worktree> {
  return await addWorktree({ mirror, commit, into: freshFolder() })
}

export const stamp: CommitStamp = { name: 'Gauntlet', email: 'gauntlet@example.org', at: '2026-01-02T03:04:05.678Z' }

/** A linked worktree of a repository. */
export function worktreesOf(source: string): string {
  const folder = join(freshFolder(), 'linked')
  git(source, 'worktree', 'add', '--quiet', '--detach', folder)
  return folder
}
