import { agreeOnSandbox } from '../agree-on-sandbox.js'
import type { Command } from '../command.js'
import { openStore } from '../open-store.js'
import { readReportOptions } from '../review-form.js'
import { withReview } from '../review-output.js'
import { readReviewRequest } from '../review-request.js'
import { planReview } from '../review-run.js'
import { runPipeline } from '../run-pipeline.js'
import { storePathOf } from '../run-places.js'
import { REPORT_OPTIONS, REVIEW_OPTIONS } from './review-options.js'

export const runReviewCommand: Command = {
  path: ['run', 'review'],
  summary:
    'reviews a change, files or a snippet; every finding is held against the code and verified; follows the run to its end',
  options: [...REVIEW_OPTIONS, ...REPORT_OPTIONS],
  examples: [
    'gauntlet run review',
    'gauntlet run review --diff main...HEAD --format sarif --fail-on High > review.sarif',
    "gauntlet run review --files 'src/**' --agent '*=model:anthropic/claude-sonnet-4-5' --focus Security",
  ],
  run: async (context, input) => {
    const wanted = await readReportOptions(context, input)
    const request = await readReviewRequest(context, input)
    const allowUnsandboxed = await agreeOnSandbox(context, input)
    const storePath = storePathOf(context, input)
    const output = await runPipeline(context, { storePath }, (store) =>
      planReview(context, input, { store, request, allowUnsandboxed }),
    )
    return await withReview(output, { ...wanted, store: await openStore(storePath) })
  },
}
