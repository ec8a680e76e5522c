import { parseJson } from '../../contracts/parse.js'
import { Plan } from '../../contracts/phase.js'
import { ResultDocument } from '../../contracts/run.js'
import type { ArtifactStore } from '../../contracts/store.js'
import { plainLine } from '../../rules/cli-progress.js'
import { agreeOnSandbox } from '../agree-on-sandbox.js'
import type { Command, Output } from '../command.js'
import { openStore } from '../open-store.js'
import { planPhase } from '../phase-run.js'
import { table } from '../print.js'
import { runPipeline } from '../run-pipeline.js'
import { storePathOf } from '../run-places.js'
import { STORE_OPTION } from './circt-options.js'
import { INSTRUCTION, PLAN_OPTIONS } from './phase-options.js'

export const planCommand: Command = {
  path: ['plan'],
  summary: 'the tasks that `run phase` would work on, and nothing else; --json prints what --plan takes',
  arguments: [INSTRUCTION],
  options: [...PLAN_OPTIONS, STORE_OPTION],
  examples: ["gauntlet plan 'Add a --verbose flag' --agent planner=acp:claude-code-acp --json > plan.json"],
  run: async (context, input) => {
    const allowUnsandboxed = await agreeOnSandbox(context, input)
    const storePath = storePathOf(context, input)
    const output = await runPipeline(context, { storePath }, (store) =>
      planPhase(context, input, { store, allowUnsandboxed, planOnly: true }),
    )
    return await withPlan(output, await openStore(storePath))
  },
}

/** Without a plan the run's own end stands, which says why. */
async function withPlan(output: Output, store: ArtifactStore): Promise<Output> {
  const document = ResultDocument.safeParse(output.json)
  const artifact = document.data?.artifacts.find(({ name }) => name.endsWith('plan.json'))
  if (document.data?.verdict !== 'planned' || artifact === undefined) return output
  const tasks = parseJson(Plan, (await store.get(artifact)).toString('utf8'), 'plan')
  const rows = tasks.map(({ id, title, agentType, priority, estimatedComplexity, dependencies }) => [
    id,
    plainLine(title),
    agentType,
    `priority ${priority}`,
    estimatedComplexity,
    dependencies.length === 0 ? '' : `after ${dependencies.join(', ')}`,
  ])
  return { ...output, json: tasks, text: table(rows) }
}
