import { realpath } from 'node:fs/promises'
import type { TestGate } from '../../contracts/quality.js'
import { qualityOf } from '../../rules/quality.js'
import type { TestCase } from '../../rules/test-report.js'
import { withScratch } from '../folder/scratch.js'
import { barOf, type CommitOrder, openCommitWorkspace } from './commit-workspace.js'
import type { GateBox } from './gate-box.js'
import { isPlan } from './gate-plan.js'
import { measureBuild } from './measure-build.js'
import { measureTests } from './measure-tests.js'
import { planGates } from './plan-gates.js'
import { readProject } from './project.js'
import { restrictTests } from './restrict-tests.js'
import { shown } from './run-command.js'
import { type JudgeOrder, openBox } from './run-gates.js'

export interface TestsOrder extends CommitOrder, Pick<JudgeOrder, 'scratchRoot' | 'limits'> {
  /** Run these files of tests only, relative, where the runner can; null runs all. */
  files: readonly string[] | null
}

/** What a run of tests told, with files relative to the project. */
export type MeasuredRun = Pick<
  TestGate,
  'outcome' | 'details' | 'command' | 'seconds' | 'tail' | 'passed' | 'failed' | 'skipped'
> & {
  cases: readonly TestCase[]
  isRestricted: boolean
  notes: readonly string[]
}

/**
 * Runs the project's own tests on a commit of a run, fresh from git: nothing that was left lying in a worktree counts, and whoever
 * wrote the commit did not touch the test runner. What the tests run on is built first, where the project can be built; whether
 * that went well shows in the tests. Throws as `setupWorktree` does.
 */
export async function measureCommitTests(order: TestsOrder): Promise<MeasuredRun> {
  const bar = await barOf(order.mirror, order.base)
  return await withScratch(order.scratchRoot, async (folder) => {
    const scratch = await realpath(folder)
    const { copy, notes } = await openCommitWorkspace(order, bar, scratch)
    const project = { ...(await readProject(copy)), config: bar.config }
    const box = await openBox({ ...order, level: null, only: null }, { project, scratch, copy })
    const plans = planGates(box, project, qualityOf(null, bar.config.quality))
    const { files } = order
    const restricted =
      files === null || !isPlan(plans.test) ? null : restrictTests(plans.test, project, { copy, files })
    if (isPlan(plans.test)) await measureBuild(box, plans.build)
    const measured = await measureTests(box, restricted ?? plans.test)
    const { outcome, details, command, seconds, tail, passed, failed, skipped } = measured
    const cases = measured.cases.map((each) => ({
      ...each,
      name: placed(box, each.name),
      message: shown(box, each.message),
      file: each.file === null ? null : placed(box, each.file),
    }))
    const counts = { passed, failed, skipped }
    return { outcome, details, cases, command, seconds, tail, ...counts, isRestricted: restricted !== null, notes }
  })
}

/** A file's name, or one that begins with it, relative to the project. */
function placed(box: GateBox, text: string): string {
  return shown(box, text).replace(/^\.\//, '')
}
