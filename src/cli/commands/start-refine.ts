import { agreeOnSandbox } from '../agree-on-sandbox.js'
import type { Command } from '../command.js'
import { planRefine } from '../refine-run.js'
import { startPipeline } from '../run-pipeline.js'
import { storePathOf } from '../run-places.js'
import { REFINE_OPTIONS } from './refine-options.js'

export const startRefineCommand: Command = {
  path: ['start', 'refine'],
  summary: 'as `run refine`, but returns at once; a worker does the work',
  options: REFINE_OPTIONS,
  examples: ["gauntlet start refine --repo ./shop --requirement @wanted.md --agent 'code-writer=acp:claude-code-acp'"],
  run: async (context, input) => {
    const allowUnsandboxed = await agreeOnSandbox(context, input)
    const planner = (store: Parameters<typeof planRefine>[2]['store']) =>
      planRefine(context, input, { store, allowUnsandboxed })
    return await startPipeline(context, storePathOf(context, input), planner)
  },
}
