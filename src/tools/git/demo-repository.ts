import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Git } from './git.js'
import { runGit } from './run-git.js'
import { stampEnv } from './stamp-env.js'

/** Makes a repository of a folder of ours, with one commit that is the same everywhere. One that is there already stays. */
export async function createDemoRepository(git: Git, folder: string): Promise<void> {
  const repository = join(folder, '.git')
  if (existsSync(repository)) return
  const call = async (args: readonly string[], writable: readonly string[]) =>
    await runGit(git, { args, repository, workTree: folder, cwd: folder, writable, env: stampEnv(STAMP) })
  await call(['init', '--quiet', '--initial-branch=main'], [folder])
  await call(['add', '--all'], [folder, repository])
  await call(['commit', '--quiet', '--no-verify', '--message', 'feat: units of time'], [folder, repository])
}

const STAMP = { name: 'Demo', email: 'demo@example.org', at: '2026-01-01T00:00:00Z' }
