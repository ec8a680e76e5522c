import { readCaseRequest } from '../case-request.js'
import { agreeOnSandbox, circtPlaces, runCirct } from '../circt-run.js'
import type { Command } from '../command.js'
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
    return await runCirct(context, request, { ...places, allowUnsandboxed })
  },
}
