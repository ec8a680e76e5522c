import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { RunProcess } from '../../contracts/process.js'
import { findProgram } from '../find-program.js'
import type { Env } from '../state-home.js'

export interface IgnoredOrder {
  run: RunProcess
  repo: string
  /** An empty folder to run git in. */
  scratch: string
  env: Env
  signal: AbortSignal
}

/**
 * What git ignores below `repo`, relative, whole folders as one. Git runs in the sandbox, where the repository is only readable:
 * its configuration may name programs. Without git, or outside a repository, the usual names of build products.
 */
export async function ignoredPaths(order: IgnoredOrder): Promise<ReadonlySet<string>> {
  const git = findProgram('git', order.env)
  const root = repositoryOf(order.repo)
  if (git === null || root === null) return USUAL
  const outcome = await order.run({
    argv: [git, ...words(GIT_SAFELY), '-C', order.repo, ...words(LIST_IGNORED)],
    cwd: order.scratch,
    readable: [root.folder, ...root.gitFolders],
    env: { GIT_CONFIG_NOSYSTEM: '1', GIT_OPTIONAL_LOCKS: '0', HOME: order.scratch, LC_ALL: 'C' },
    limits: { timeMs: 60_000, memoryBytes: 2e9, outputBytes: 400_000, processes: 64, fileBytes: 1e6 },
    signal: order.signal,
  })
  if (outcome.exitCode !== 0 || outcome.stopped !== null) return USUAL
  const paths = outcome.stdout.split('\0').filter((path) => path !== '')
  return new Set(paths.map((path) => path.replace(/\/$/, '')))
}

/** `safe.directory`: the sandbox has no home to read it from, and nothing of the repository is run. */
const GIT_SAFELY = '-c safe.directory=* -c core.fsmonitor=false -c core.hooksPath=/dev/null'
const LIST_IGNORED = 'ls-files -z --others --ignored --exclude-standard --directory'

const USUAL: ReadonlySet<string> = new Set(['target', 'coverage', '.pytest_cache', '__pycache__', '.nyc_output'])

function words(line: string): string[] {
  return line.split(' ')
}

/** The folder with `.git` at or above `from`; in a worktree `.git` is a file that names the repository it belongs to. */
function repositoryOf(from: string): { folder: string; gitFolders: string[] } | null {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const mark = join(folder, '.git')
    if (!existsSync(mark)) continue
    if (!lstatSync(mark).isFile()) return { folder, gitFolders: [] }
    const [, main] =
      /^gitdir: (\/.*\.git)\/worktrees\/[^/\n]+\s*$/.exec(readFileSync(mark, 'utf8').slice(0, 4096)) ?? []
    return main === undefined ? null : { folder, gitFolders: [main] }
  }
  return null
}
