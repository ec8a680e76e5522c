import type { z } from 'zod'
import {
  BranchOrder,
  ChangeOrder,
  DetectedTechStack,
  DetectOrder,
  JudgeOrder,
  KeptBranch,
  MeasuredChange,
  RoundJudgement,
} from '../contracts/refine.js'
import type { ArtifactStore } from '../contracts/store.js'
import { withScratch } from '../tools/folder/scratch.js'
import { type Git, withSignal } from '../tools/git/git.js'
import { judgeRound } from '../tools/refine/judge-round.js'
import { keepBranch } from '../tools/refine/keep-branch.js'
import { lookAtRepository } from '../tools/refine/look-at-repository.js'
import { measureChange } from '../tools/refine/measure-change.js'
import type { RefineBox } from '../tools/refine/refine-box.js'
import { type Attempt, perform } from './perform.js'

export interface RefineSetup {
  store: ArtifactStore
  scratchRoot: string
  git: () => Promise<Git>
}

/** The activities of the refine loop besides asking agents: each gives a tool its box, and nothing else. */
export function createRefineActivities(setup: RefineSetup) {
  const step = <I extends z.ZodType, O extends z.ZodType>({ name, input, output, tool }: Step<I, O>) => {
    const run = (order: z.infer<I>, { signal }: Attempt) =>
      withScratch(setup.scratchRoot, async (scratch) =>
        tool(order, { git: withSignal(await setup.git(), signal), store: setup.store, scratch }),
      )
    return perform({ name, store: setup.store, input, output, run })
  }
  return {
    detectTechStack: step({
      name: 'detectTechStack',
      input: DetectOrder,
      output: DetectedTechStack,
      tool: lookAtRepository,
    }),
    measureChange: step({ name: 'measureChange', input: ChangeOrder, output: MeasuredChange, tool: measureChange }),
    judgeRound: step({ name: 'judgeRound', input: JudgeOrder, output: RoundJudgement, tool: judgeRound }),
    keepBranch: step({ name: 'keepBranch', input: BranchOrder, output: KeptBranch, tool: keepBranch }),
  }
}

interface Step<I extends z.ZodType, O extends z.ZodType> {
  name: string
  input: I
  output: O
  tool: (order: z.infer<I>, box: RefineBox) => Promise<z.infer<O>>
}
