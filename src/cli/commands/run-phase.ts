import { agreeOnSandbox } from '../agree-on-sandbox.js'
import type { Command } from '../command.js'
import { planPhase } from '../phase-run.js'
import { runPipeline } from '../run-pipeline.js'
import { storePathOf } from '../run-places.js'
import { STORE_OPTION } from './circt-options.js'
import { INSTRUCTION, PHASE_OPTIONS } from './phase-options.js'

export const runPhaseCommand: Command = {
  path: ['run', 'phase'],
  summary: 'from an instruction to a branch of accepted work: plan, tests seen red, code seen green, gates, review',
  arguments: [INSTRUCTION],
  options: [...PHASE_OPTIONS, STORE_OPTION],
  examples: [
    "gauntlet run phase 'Add a --verbose flag' --agent '*=acp:claude-code-acp' --approve plan,merge",
    'gauntlet run phase @task.md --repo ../my-project --plan plan.json --agent coder=command:./agent.py --agent reviewer=model:anthropic/NAME --json',
  ],
  run: async (context, input) => {
    const allowUnsandboxed = await agreeOnSandbox(context, input)
    return await runPipeline(context, { storePath: storePathOf(context, input) }, (store) =>
      planPhase(context, input, { store, allowUnsandboxed, planOnly: false }),
    )
  },
}
