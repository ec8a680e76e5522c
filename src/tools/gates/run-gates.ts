import { realpath } from 'node:fs/promises'
import type { ProcessLimits, RunProcess } from '../../contracts/process.js'
import type { GateName, GatesConfig, QualityLevel, QualityReport } from '../../contracts/quality.js'
import { qualityScore } from '../../rules/quality-score.js'
import { decideOverall, type GateResults, isBlocking, qualityOf } from '../../rules/quality.js'
import type { TestCase } from '../../rules/test-report.js'
import { withScratch } from '../folder/scratch.js'
import type { Env } from '../state-home.js'
import { findPython } from './find-python.js'
import { GATE_LIMITS, type GateBox } from './gate-box.js'
import { type GateFacts } from './gate-facts.js'
import { skipped } from './gate-plan.js'
import { measureAcceptance } from './measure-acceptance.js'
import { measureBuild } from './measure-build.js'
import { measureCoverage } from './measure-coverage.js'
import { measureLint } from './measure-lint.js'
import { measureSecurity } from './measure-security.js'
import { measureTests } from './measure-tests.js'
import { planGates } from './plan-gates.js'
import { type Project, readProject } from './project.js'
import { openWorkspace, type Workspace } from './workspace.js'

export interface JudgeOrder {
  /** Folder for scratch folders, absolute. */
  scratchRoot: string
  run: RunProcess
  isSandboxed: boolean
  /** Of the person: where programs are found. */
  env: Env
  /** Null takes the project's own, else strict. */
  level: QualityLevel | null
  /** Null runs all. */
  only: readonly GateName[] | null
  signal: AbortSignal
  limits?: ProcessLimits
  onGate?: (name: GateName) => void
}

export interface GatesOrder extends JudgeOrder {
  /** Absolute; only ever read. */
  repo: string
  /** Our own state, which is not copied when it lies within the project. */
  leaveOut: readonly string[]
}

/**
 * Runs the seven gates of seed 001 on a copy of a project: all of them, in order, whatever the ones before said.
 * Throws `Failure('Contract.Violated')` for a project or configuration that does not fit, the signal's reason when cancelled.
 */
export async function runGates(order: GatesOrder): Promise<QualityReport> {
  const repo = await realpath(order.repo)
  const { run, env, signal, leaveOut } = order
  return await judgeIn(order, null, (scratch) => openWorkspace({ run, repo, scratch, env, signal, leaveOut }))
}

/**
 * The same for a workspace that is opened in a scratch folder of ours.
 * @param config in the place of the project's own
 */
export async function judgeIn(
  order: JudgeOrder,
  config: GatesConfig | null,
  open: (scratch: string) => Promise<Workspace>,
): Promise<QualityReport> {
  return await withScratch(order.scratchRoot, async (folder) => {
    const scratch = await realpath(folder)
    const workspace = await open(scratch)
    const project = await readProject(workspace.copy)
    const box = await openBox(order, { project, scratch, copy: workspace.copy })
    return await judge(order, { workspace, box, project: config === null ? project : { ...project, config } })
  })
}

/** What the commands of a project are run with. */
export async function openBox(
  { run, isSandboxed, env, signal, limits = GATE_LIMITS }: JudgeOrder,
  { project, scratch, copy }: { project: Project; scratch: string; copy: string },
): Promise<GateBox> {
  const bare = { run, isSandboxed, copy, scratch, env, limits, signal }
  return { ...bare, python: project.kind === 'python' ? await findPython(bare) : null }
}

interface Judged {
  workspace: Workspace
  box: GateBox
  project: Project
}

async function judge(order: JudgeOrder, { workspace, box, project }: Judged): Promise<QualityReport> {
  const config = qualityOf(order.level, project.config.quality)
  const plans = planGates(box, project, config)
  const rebuild = async () => void (await measureBuild(box, plans.build))
  const gate = gateRunner(order, workspace, rebuild)
  const asked = <T>(name: GateName, plan: T) => (isAsked(order, name) ? plan : skipped(NOT_ASKED))
  let cases: readonly TestCase[] = []
  const results = {
    build: await gate('build', () => measureBuild(box, asked('build', plans.build))),
    test: await gate('test', async () => {
      const { cases: seen, ...measured } = await measureTests(box, asked('test', plans.test))
      cases = seen
      return measured
    }),
    coverage: await gate('coverage', () => measureCoverage(box, asked('coverage', plans.coverage), config.minCoverage)),
    lint: await gate('lint', () => measureLint(box, asked('lint', plans.lint), config.strictLint)),
    security: await gate('security', () => measureSecurity(box, asked('security', plans.security))),
    e2e: await gate('e2e', async () => {
      const { cases: _seen, ...measured } = await measureTests(box, asked('e2e', plans.e2e))
      return measured
    }),
    acceptance: await gate('acceptance', () => measureAcceptance(box, criteriaOf(order, project), cases)),
  }
  const gates = withBlocking(results, (name) => isBlocking(name, config))
  const score = qualityScore(gates, config.level)
  const { isSandboxed } = order
  return { ...gates, ...decideOverall(gates, config), score, config, isSandboxed, notes: [...workspace.notes] }
}

const NOT_ASKED = 'not asked for'

function isAsked({ only }: JudgeOrder, name: GateName): boolean {
  return only === null || only.includes(name)
}

function criteriaOf(order: JudgeOrder, { config }: Project) {
  return isAsked(order, 'acceptance') ? (config.gates?.acceptance?.criteria ?? []) : []
}

/** Runs one gate and looks what it did to the copy: the next ones judge the project, not what a test made of it. */
function gateRunner(order: JudgeOrder, workspace: Workspace, rebuild: () => Promise<void>) {
  let hasBuilt = false
  return async <T extends GateFacts>(name: GateName, measure: () => Promise<T>): Promise<T> => {
    order.signal.throwIfAborted()
    if (isAsked(order, name)) order.onGate?.(name)
    const facts = await measure()
    if (facts.command === null && name !== 'acceptance') return facts
    if (name === 'build') {
      // A build may well write files that are under version control.
      hasBuilt = facts.status === 'pass'
      await workspace.accept()
      return facts
    }
    const changes = await workspace.changes()
    if (changes === null) return facts
    await workspace.renew()
    if (hasBuilt) await rebuild()
    await workspace.accept()
    return { ...facts, details: `${facts.details}; it ${changes}: the gates after it got a fresh copy` }
  }
}

type Unblocked = { [Name in GateName]: Omit<GateResults[Name], 'isBlocking'> }

function withBlocking(results: Unblocked, blocks: (name: GateName) => boolean): GateResults {
  return {
    build: { ...results.build, isBlocking: blocks('build') },
    test: { ...results.test, isBlocking: blocks('test') },
    coverage: { ...results.coverage, isBlocking: blocks('coverage') },
    lint: { ...results.lint, isBlocking: blocks('lint') },
    security: { ...results.security, isBlocking: blocks('security') },
    e2e: { ...results.e2e, isBlocking: blocks('e2e') },
    acceptance: { ...results.acceptance, isBlocking: blocks('acceptance') },
  }
}
