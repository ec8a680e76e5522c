import { agreeOnSandbox } from '../agree-on-sandbox.js'
import { readCaseRequest } from '../case-request.js'
import { circtPlaces, planCirct } from '../circt-run.js'
import type { Command } from '../command.js'
import { runPipeline } from '../run-pipeline.js'
import { CASE_DIR, CASE_OPTIONS, CIRCT_PLACES, STORE_OPTION } from './circt-options.js'

export const runCirctCommand: Command = {
  path: ['run', 'circt'],
  summary: 'from a crash of a CIRCT tool to a minimized, checked bug report; follows the run to its end',
  arguments: [CASE_DIR],
  options: [...CASE_OPTIONS, ...CIRCT_PLACES, STORE_OPTION],
  examples: [
    'gauntlet run circt ./my-crash',
    "gauntlet run circt ./my-crash --command 'circt-opt --canonicalize {input}' --issues issues.json --json",
  ],
  run: async (context, input) => {
    const request = await readCaseRequest(context, input)
    const places = await circtPlaces(context, input)
    const allowUnsandboxed = await agreeOnSandbox(context, input)
    return await runPipeline(context, places, (store) => planCirct(request, allowUnsandboxed, store))
  },
}
