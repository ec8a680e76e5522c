import { cp } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemReason } from '../tools/case-folder/system-reason.js'
import { needsNoAgreement } from './agree-on-sandbox.js'
import { mistake } from './cli-error.js'
import { type CommandInput, type Context, type Output, textOption } from './command.js'
import { openStore } from './open-store.js'
import { PACKAGE_ROOT } from './package-version.js'
import { readReportOptions } from './review-form.js'
import { withReview } from './review-output.js'
import { readReviewRequest } from './review-request.js'
import { planReview } from './review-run.js'
import { runPipeline } from './run-pipeline.js'
import { shownPath, storePathOf } from './run-places.js'

/** The bundled change through the whole review, by analysers alone. */
export async function demoReview(context: Context, input: CommandInput): Promise<Output> {
  const folder = resolve(context.cwd, textOption(input, 'dir') ?? './gauntlet-demo', 'review')
  await copyExample(folder)
  context.terminal.note(`the bundled change is in ${shownPath(context, folder)}`)
  const options = {
    ...input.options,
    patch: join(folder, 'change.patch'),
    repo: join(folder, 'project'),
    contentDir: join(folder, 'review_content'),
  }
  const typed: CommandInput = { args: {}, options }
  const request = await readReviewRequest(context, typed)
  const allowUnsandboxed = await needsNoAgreement(context)
  const storePath = storePathOf(context, input)
  const output = await runPipeline(context, { storePath }, (store) =>
    planReview(context, typed, { store, request, allowUnsandboxed }),
  )
  return await withReview(output, { ...(await readReportOptions(context, typed)), store: await openStore(storePath) })
}

const EXAMPLE = fileURLToPath(new URL('examples/review/', PACKAGE_ROOT))

/** What is there already stays: the demo may be run again, and attaches to what it did before. */
async function copyExample(folder: string): Promise<void> {
  try {
    await cp(EXAMPLE, folder, { recursive: true, force: false })
  } catch (error) {
    throw mistake('--dir', 'a folder that can be written', systemReason(error).reason)
  }
}
