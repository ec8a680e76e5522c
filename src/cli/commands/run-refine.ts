import { RefineResult } from '../../contracts/refine.js'
import { ResultDocument } from '../../contracts/run.js'
import { agreeOnSandbox } from '../agree-on-sandbox.js'
import type { Command, Output } from '../command.js'
import { planRefine } from '../refine-run.js'
import { runPipeline } from '../run-pipeline.js'
import { storePathOf } from '../run-places.js'
import { REFINE_OPTIONS } from './refine-options.js'

export const runRefineCommand: Command = {
  path: ['run', 'refine'],
  summary:
    'writer, three reviewers, verdict, feedback, round after round until the code is good enough; follows the run to its end',
  options: REFINE_OPTIONS,
  examples: [
    "gauntlet run refine --requirement 'Find users by name' --agent 'code-writer=acp:claude-code-acp'",
    "gauntlet run refine --openspec add-login --agent '*=command:./agent.py' --preset strict --json",
  ],
  run: async (context, input) => {
    const allowUnsandboxed = await agreeOnSandbox(context, input)
    const places = { storePath: storePathOf(context, input) }
    return withPull(
      await runPipeline(context, places, (store) => planRefine(context, input, { store, allowUnsandboxed })),
    )
  },
}

/** How the best round's code comes into the person's own repository, which is only ever read by us. */
function withPull(output: Output): Output {
  const document = ResultDocument.safeParse(output.json)
  const result = document.success ? RefineResult.safeParse(document.data.result) : null
  if (!result?.success || result.data.branch === null) return output
  const { key, best_round } = result.data
  const pull = `gauntlet pull refine/${key} --into . (as branch gauntlet/${key})`
  return { ...output, text: `${output.text}\ncode of round ${best_round}: ${pull}` }
}
