import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../contracts/failures.js'
import type { RunProcess } from '../../contracts/process.js'
import { gitVersionProblem } from '../../rules/git/git-version.js'
import { findProgram } from '../find-program.js'
import { writeWhole } from '../folder/write-whole.js'
import { createRunner } from '../process/runner.js'
import { isSystemPath } from '../process/system-folders.js'
import type { Env } from '../state-home.js'

/** git, and what it is run with. Everything of ours that it keeps lies below `home`. */
export interface Git {
  program: string
  /** State home, absolute: `repos`, `mirrors` and `git` lie in it. */
  home: string
  /** Stands in for the person's own configuration. */
  configFile: string
  /** Holds nothing: git's home, and where it runs when it has no better place. */
  emptyFolder: string
  /** Where git's own programs lie, when the sandbox does not show that by itself. */
  readable: readonly string[]
  /** In the sandbox where there is one: repositories of strangers have configurations of strangers. */
  run: RunProcess
  /** On the bare machine: keys, agents and name services are out of a sandbox's reach. Only for hosts elsewhere. */
  runRemote: RunProcess
  /** Of the person: for hosts elsewhere only. */
  env: Env
  signal: AbortSignal | undefined
}

export interface GitOptions {
  home: string
  env: Env
  run: RunProcess
  signal?: AbortSignal
}

/** Finds git and writes its configuration. Throws `Failure('Tool.Missing')` when there is none, or only one that is too old. */
export async function openGit({ home, env, run, signal }: GitOptions): Promise<Git> {
  const program = findProgram('git', env)
  if (program === null) throw new Failure('Tool.Missing', 'git is not on PATH')
  const folder = join(home, 'git')
  const emptyFolder = join(folder, 'empty')
  mkdirSync(emptyFolder, { recursive: true, mode: 0o700 })
  await writeWhole(folder, 'config', CONFIG)
  const runRemote = createRunner({ sandbox: 'none' })
  const ask = async (word: string) =>
    (
      await runRemote({
        argv: [program, word],
        cwd: emptyFolder,
        env: { HOME: emptyFolder, LC_ALL: 'C' },
        limits: QUICK,
      })
    ).stdout
  const problem = gitVersionProblem((await ask('--version')).trim())
  if (problem !== null) throw new Failure('Tool.Missing', problem)
  const programs = isSystemPath(program) ? '' : (await ask('--exec-path')).trim()
  const readable = programs === '' || isSystemPath(programs) ? [] : [programs]
  return { program, home, configFile: join(folder, 'config'), emptyFolder, readable, run, runRemote, env, signal }
}

const QUICK = { timeMs: 10_000, memoryBytes: 1e9, outputBytes: 100_000, processes: 20, fileBytes: 1e6 }

/**
 * In the place of the person's configuration, where the programs that git starts for the other end of a fetch see it too. Only
 * run repositories are written through to the disk (see `makeRepository`): mirrors and worktrees are caches.
 */
const CONFIG = `[core]
	hooksPath = /dev/null
	fsmonitor = false
	untrackedCache = false
	attributesFile = /dev/null
	excludesFile = /dev/null
	protectHFS = true
	protectNTFS = true
	fsync = none
	filesRefLockTimeout = 3000
	logAllRefUpdates = false
	quotePath = true
[safe]
	directory = *
[gc]
	auto = 0
[maintenance]
	auto = false
[receive]
	autogc = false
[credential]
	helper =
[submodule]
	recurse = false
[fetch]
	recurseSubmodules = false
[commit]
	gpgSign = false
[push]
	gpgSign = false
	followTags = false
[advice]
	pushUpdateRejected = false
`

export function withSignal(git: Git, signal: AbortSignal): Git {
  return { ...git, signal }
}
