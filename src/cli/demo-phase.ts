import { cp, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PhaseResult } from '../contracts/phase-run.js'
import { ResultDocument } from '../contracts/run.js'
import { plainLine } from '../rules/cli-progress.js'
import { systemReason } from '../tools/case-folder/system-reason.js'
import { createDemoRepository } from '../tools/git/demo-repository.js'
import { needsNoAgreement } from './agree-on-sandbox.js'
import { mistake } from './cli-error.js'
import { type CommandInput, type Context, type Output, textOption } from './command.js'
import { PACKAGE_ROOT } from './package-version.js'
import { planPhase } from './phase-run.js'
import { runPipeline } from './run-pipeline.js'
import { shownPath, storePathOf } from './run-places.js'
import { openCliGit } from './run-repository.js'

/** The bundled instruction through the whole phase pipeline: real git, tests and gates, and agents that make the usual mistakes. */
export async function demoPhase(context: Context, input: CommandInput): Promise<Output> {
  const repo = resolve(context.cwd, textOption(input, 'dir') ?? './gauntlet-demo', 'time-sheet')
  await makeProject(context, repo)
  context.terminal.note(`the bundled project is in ${shownPath(context, repo)}`)
  const instruction = (await readFile(join(EXAMPLE, 'instruction.txt'), 'utf8')).trim()
  const agent = [`*=script:${join(EXAMPLE, 'script.json')}`]
  const options = { ...input.options, repo, agent, isolation: 'always', key: 'demo-time-sheet', yes: true }
  const typed: CommandInput = { args: { INSTRUCTION: instruction }, options }
  const allowUnsandboxed = await needsNoAgreement(context)
  const output = await runPipeline(context, { storePath: storePathOf(context, input) }, (store) =>
    planPhase(context, typed, { store, allowUnsandboxed, planOnly: false }),
  )
  return withBranch(output, shownPath(context, repo))
}

const EXAMPLE = fileURLToPath(new URL('examples/phase/', PACKAGE_ROOT))

/** What is there already stays: the demo may be run again, and attaches to what it did before. */
async function makeProject(context: Context, repo: string): Promise<void> {
  try {
    await cp(join(EXAMPLE, 'project'), repo, { recursive: true, force: false })
  } catch (error) {
    throw mistake('--dir', 'a folder that can be written', `${JSON.stringify(repo)}: ${systemReason(error).reason}`)
  }
  await createDemoRepository(await openCliGit(context), repo)
}

function withBranch(output: Output, repo: string): Output {
  const document = ResultDocument.safeParse(output.json)
  const result = PhaseResult.safeParse(document.data?.result)
  if (!document.success || !result.success || result.data.branch === null) return output
  const { caught } = result.data
  const plan = caughtIn(caught, null)
  const planned = plan.length === 0 ? [] : ['  the plan', ...plan]
  const tasks = result.data.tasks.flatMap(({ id, title, status, note }) => [
    `  ${id} ${title}: ${status}, ${note}`,
    ...caughtIn(caught, id),
  ])
  const fetch = `gauntlet pull ${document.data.workflow_id} --into ${repo}`
  return {
    ...output,
    text: [output.text, '', ...planned, ...tasks, '', `the branch: ${fetch}`].join('\n'),
  }
}

function caughtIn(caught: PhaseResult['caught'], id: string | null): string[] {
  const own = caught.filter(({ task }) => task === id)
  return own.map(({ phase, what }) => `    caught and sent back, ${phase}: ${plainLine(what)}`)
}
