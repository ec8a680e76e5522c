import { agreeOnSandbox } from '../agree-on-sandbox.js'
import { readCaseRequest } from '../case-request.js'
import { planCirct } from '../circt-run.js'
import type { Command } from '../command.js'
import { startPipeline } from '../run-pipeline.js'
import { storePathOf } from '../run-places.js'
import { CASE_DIR, CASE_OPTIONS, STORE_OPTION } from './circt-options.js'

export const startCirctCommand: Command = {
  path: ['start', 'circt'],
  summary: 'as `run circt`, but returns at once; a worker elsewhere does the work',
  arguments: [CASE_DIR],
  options: [...CASE_OPTIONS, STORE_OPTION],
  examples: ['gauntlet start circt ./my-crash', 'gauntlet start circt ./my-crash --ask --answer-within 2d'],
  run: async (context, input) => {
    const request = await readCaseRequest(context, input)
    const allowUnsandboxed = await agreeOnSandbox(context, input)
    const plan = (store: Parameters<typeof planCirct>[2]) => planCirct(request, allowUnsandboxed, store)
    return await startPipeline(context, storePathOf(context, input), plan)
  },
}
