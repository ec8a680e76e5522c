import { basename } from 'node:path'
import { Failure } from '../../contracts/failures.js'
import type { ProcessLimits, ProcessOrder, ProcessOutcome, StopReason } from '../../contracts/process.js'
import { plainLine } from '../../rules/cli-progress.js'
import { redactUrls, REMOTE_SCHEMES } from '../../rules/git/repository-url.js'
import type { Git } from './git.js'

export interface GitCall {
  /** Subcommand first. */
  args: readonly string[]
  /** The repository (GIT_DIR), absolute; without it there is none, wherever git runs. */
  repository?: string
  /** Its files, absolute. */
  workTree?: string
  /** In the place of the repository's own index, absolute. */
  index?: string
  /** Default: an empty folder. Writable. */
  cwd?: string
  readable?: readonly string[]
  writable?: readonly string[]
  stdin?: string
  /** For output that is more than is kept; see `ProcessOrder`. */
  onOutput?: ProcessOrder['onOutput']
  env?: Readonly<Record<string, string>>
  /** True speaks to a host elsewhere: with the network and the person's keys, without the sandbox. */
  isRemote?: boolean
  limits?: Partial<ProcessLimits>
  /** A limit that may well be reached: the outcome says so. */
  mayReach?: StopReason
}

/** Runs git to a good end and returns what it printed. Throws `Failure('Tool.Failed')` with its first words otherwise. */
export async function runGit(git: Git, call: GitCall): Promise<string> {
  const outcome = await tryGit(git, call)
  if (outcome.exitCode !== 0) throw gitFailure(call, outcome)
  return outcome.stdout
}

/**
 * Runs git to whatever end it comes to by itself. Throws the signal's reason when cancelled, `Failure('Tool.TimedOut')` or
 * `Failure('Tool.Failed')` when it reached one of our limits.
 */
export async function tryGit(git: Git, call: GitCall): Promise<ProcessOutcome> {
  const run = call.isRemote === true ? git.runRemote : git.run
  const limits = { ...LIMITS, ...call.limits }
  const outcome = await run(orderOf(git, call, limits))
  git.signal?.throwIfAborted()
  if (outcome.stopped === null || outcome.stopped === call.mayReach) return outcome
  if (outcome.stopped === 'time')
    throw new Failure('Tool.TimedOut', `git ${nameOf(call)} did not end within ${limits.timeMs / 1000} s`)
  throw new Failure('Tool.Failed', `git ${nameOf(call)} reached the limit of ${outcome.stopped.replace('_', ' ')}`)
}

/** Only what is named, and without a trace besides. */
export const FETCH = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head']

/** Wide: whole histories pass. */
const LIMITS: ProcessLimits = {
  timeMs: 300_000,
  memoryBytes: 4 * 1024 ** 3,
  outputBytes: 64 * 1024 ** 2,
  processes: 200,
  fileBytes: 20 * 1024 ** 3,
}

export function gitFailure(call: GitCall, { exitCode, signal, stderr }: ProcessOutcome): Failure {
  const words = firstComplaint(stderr)
  const ending = exitCode === null ? (signal ?? 'a signal') : `exit code ${exitCode}`
  return new Failure('Tool.Failed', `git ${nameOf(call)} ended with ${ending}${words === '' ? '' : `: ${words}`}`)
}

/** What git complains of, in one line, without passwords and without the folders of this machine. */
export function firstComplaint(stderr: string): string {
  const lines = stderr.split('\n').map((line) => plainLine(redactUrls(line)))
  const line = lines.find((each) => /^(?:fatal|error|remote: fatal|remote: error): /.test(each)) ?? lines[0] ?? ''
  return line.replaceAll(/(?<![\w.:/*])(?:\/[^\s/:'"]+){2,}\/?/g, (path) => basename(path)).slice(0, 300)
}

function nameOf({ args }: GitCall): string {
  return args[0] ?? ''
}

function orderOf(git: Git, call: GitCall, limits: ProcessLimits): ProcessOrder {
  const { repository, workTree, stdin, cwd = git.emptyFolder } = call
  const seen = [repository, workTree].filter((path): path is string => path !== undefined)
  return {
    argv: [git.program, ...call.args],
    cwd,
    readable: [git.configFile, ...git.readable, ...seen, ...(call.readable ?? [])],
    writable: call.writable ?? [],
    env: envOf(git, call),
    ...(stdin === undefined ? {} : { stdin }),
    ...(call.onOutput === undefined ? {} : { onOutput: call.onOutput }),
    limits,
    hasNetwork: call.isRemote === true,
    ...(git.signal === undefined ? {} : { signal: git.signal }),
  }
}

function envOf(git: Git, { repository, workTree, index, isRemote, env }: GitCall): Record<string, string> {
  return {
    ...baseEnv(git),
    ...(repository === undefined ? {} : { GIT_DIR: repository }),
    ...(workTree === undefined ? {} : { GIT_WORK_TREE: workTree }),
    ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
    ...(isRemote === true ? remoteEnv(git) : {}),
    ...env,
  }
}

/** Nothing of the person's, no prompt, no program named by anybody. */
function baseEnv({ configFile, emptyFolder }: Git): Record<string, string> {
  return {
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: configFile,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: 'file',
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_CEILING_DIRECTORIES: '/',
    GIT_DEFAULT_REF_FORMAT: 'files',
    GIT_PAGER: 'cat',
    HOME: emptyFolder,
    PATH: '/usr/bin:/bin',
    LC_ALL: 'C',
  }
}

/** What reaching another host takes: the person's keys (`~/.netrc`, ssh), proxies and certificates; never a prompt. */
function remoteEnv({ env }: Git): Record<string, string> {
  const taken = REMOTE_VARIABLES.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))
  return {
    GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
    ...(Object.fromEntries(taken) as Record<string, string>),
    GIT_ALLOW_PROTOCOL: REMOTE_SCHEMES.join(':'),
    SSH_ASKPASS_REQUIRE: 'never',
  }
}

const REMOTE_VARIABLES =
  'HOME PATH USER SSH_AUTH_SOCK GIT_SSH_COMMAND GIT_ASKPASS GIT_SSL_CAINFO SSL_CERT_FILE http_proxy https_proxy all_proxy no_proxy HTTPS_PROXY ALL_PROXY NO_PROXY'.split(
    ' ',
  )
