import { agreeOnSandbox } from '../agree-on-sandbox.js'
import type { Command } from '../command.js'
import { readReviewRequest } from '../review-request.js'
import { planReview } from '../review-run.js'
import { startPipeline } from '../run-pipeline.js'
import { storePathOf } from '../run-places.js'
import { REVIEW_OPTIONS } from './review-options.js'

export const startReviewCommand: Command = {
  path: ['start', 'review'],
  summary: 'as `run review`, but returns at once; a worker elsewhere does the work',
  options: REVIEW_OPTIONS,
  examples: ['gauntlet start review --diff main...HEAD'],
  run: async (context, input) => {
    const request = await readReviewRequest(context, input)
    const allowUnsandboxed = await agreeOnSandbox(context, input)
    return await startPipeline(context, storePathOf(context, input), (store) =>
      planReview(context, input, { store, request, allowUnsandboxed }),
    )
  },
}
