import type { z } from 'zod'
import { MeasureGatesOrder, MeasureTestsOrder, QualityExtract, TestVerdict } from '../contracts/phase-quality.js'
import {
  DescribeChangesOrder,
  DescribedChanges,
  LoadedPlan,
  LoadPlanOrder,
  MergedTask,
  MergeTaskOrder,
  NestPlanOrder,
  PhaseProject,
  PreparePhaseOrder,
  PublishBranchOrder,
  PublishedBranch,
  ReadTaskOrder,
} from '../contracts/phase-run.js'
import { Task } from '../contracts/phase.js'
import { type Git, withSignal } from '../tools/git/git.js'
import { describeChanges } from '../tools/phase/describe-changes.js'
import { measureTaskGates } from '../tools/phase/measure-task-gates.js'
import { measureTaskTests } from '../tools/phase/measure-task-tests.js'
import { mergeTask, publishBranch } from '../tools/phase/merge-task.js'
import type { PhaseBox } from '../tools/phase/phase-box.js'
import { loadPlan, putNestedPlan, readTask } from '../tools/phase/plan-files.js'
import { preparePhase } from '../tools/phase/prepare-phase.js'
import { type Attempt, perform } from './perform.js'

export interface PhaseSetup extends Omit<PhaseBox, 'git' | 'signal'> {
  git: () => Promise<Git>
}

/** The activities of the phase pipeline besides asking agents: each gives a tool its box, and nothing else. */
export function createPhaseActivities(setup: PhaseSetup) {
  const step = stepsOf(setup)
  return {
    preparePhase: step({ name: 'preparePhase', input: PreparePhaseOrder, output: PhaseProject, tool: preparePhase }),
    loadPlan: step({ name: 'loadPlan', input: LoadPlanOrder, output: LoadedPlan, tool: fromStore(loadPlan) }),
    nestPlan: step({ name: 'nestPlan', input: NestPlanOrder, output: LoadedPlan, tool: fromStore(putNestedPlan) }),
    readTask: step({ name: 'readTask', input: ReadTaskOrder, output: Task, tool: fromStore(readTask) }),
    measureTests: step({ name: 'measureTests', input: MeasureTestsOrder, output: TestVerdict, tool: measureTaskTests }),
    measureGates: step({
      name: 'measureGates',
      input: MeasureGatesOrder,
      output: QualityExtract,
      tool: measureTaskGates,
    }),
    describeChanges: step({
      name: 'describeChanges',
      input: DescribeChangesOrder,
      output: DescribedChanges,
      tool: describeChanges,
    }),
    mergeTask: step({ name: 'mergeTask', input: MergeTaskOrder, output: MergedTask, tool: mergeTask }),
    publishBranch: step({
      name: 'publishBranch',
      input: PublishBranchOrder,
      output: PublishedBranch,
      tool: publishBranch,
    }),
  }
}

function stepsOf(setup: PhaseSetup) {
  return <I extends z.ZodType, O extends z.ZodType>({ name, input, output, tool }: Step<I, O>) => {
    const run = async (order: z.infer<I>, { signal }: Attempt) =>
      tool(order, { ...setup, git: withSignal(await setup.git(), signal), signal })
    return perform({ name, store: setup.store, input, output, run })
  }
}

/** For tools that need nothing but the store. */
function fromStore<I, O>(tool: (store: PhaseSetup['store'], order: I) => Promise<O>) {
  return (order: I, { store }: PhaseBox) => tool(store, order)
}

interface Step<I extends z.ZodType, O extends z.ZodType> {
  name: string
  input: I
  output: O
  tool: (order: z.infer<I>, box: PhaseBox) => Promise<z.infer<O>>
}
