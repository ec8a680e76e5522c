import { agreeOnSandbox } from '../agree-on-sandbox.js'
import type { Command } from '../command.js'
import { planEval } from '../eval-run.js'
import { startPipeline } from '../run-pipeline.js'
import { storePathOf } from '../run-places.js'
import { STORE_OPTION } from './circt-options.js'
import { EVAL_OPTIONS } from './eval-options.js'

export const startEvalCommand: Command = {
  path: ['start', 'eval'],
  summary: 'as `run eval`, but returns at once; a worker elsewhere does the work',
  options: [...EVAL_OPTIONS, STORE_OPTION],
  examples: ['gauntlet start eval --candidates ./patches --criteria criteria.txt --judge tests=builtin:tests:./checks'],
  run: async (context, input) => {
    const allowUnsandboxed = await agreeOnSandbox(context, input)
    return await startPipeline(context, storePathOf(context, input), (store) =>
      planEval(context, input, { store, allowUnsandboxed }),
    )
  },
}
