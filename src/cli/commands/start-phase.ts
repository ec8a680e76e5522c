import { agreeOnSandbox } from '../agree-on-sandbox.js'
import type { Command } from '../command.js'
import { planPhase } from '../phase-run.js'
import { startPipeline } from '../run-pipeline.js'
import { storePathOf } from '../run-places.js'
import { STORE_OPTION } from './circt-options.js'
import { INSTRUCTION, PHASE_OPTIONS } from './phase-options.js'

export const startPhaseCommand: Command = {
  path: ['start', 'phase'],
  summary: 'as `run phase`, but returns at once; a worker elsewhere does the work',
  arguments: [INSTRUCTION],
  options: [...PHASE_OPTIONS, STORE_OPTION],
  examples: ["gauntlet start phase 'Add a --verbose flag' --agent '*=acp:claude-code-acp' --ask --approve merge"],
  run: async (context, input) => {
    const allowUnsandboxed = await agreeOnSandbox(context, input)
    return await startPipeline(context, storePathOf(context, input), (store) =>
      planPhase(context, input, { store, allowUnsandboxed, planOnly: false }),
    )
  },
}
