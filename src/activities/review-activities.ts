import type { z } from 'zod'
import {
  ContentOrder,
  ContentReply,
  GroundOrder,
  GroundReply,
  MergeOrder,
  MergeReply,
  SettleOrder,
  SettleReply,
  SplitOrder,
  SplitReply,
} from '../contracts/review-run.js'
import type { ArtifactStore } from '../contracts/store.js'
import { groundPart } from '../tools/review/ground-part.js'
import { keepContent } from '../tools/review/keep-content.js'
import { mergeReview } from '../tools/review/merge-review.js'
import { settlePart } from '../tools/review/settle-part.js'
import { splitSources } from '../tools/review/split-sources.js'
import { perform } from './perform.js'

export interface ReviewSetup {
  store: ArtifactStore
}

/** The activities of a review, besides asking agents. */
export function createReviewActivities({ store }: ReviewSetup) {
  const step = <I extends z.ZodType, O extends z.ZodType>({ name, input, output, tool }: Step<I, O>) =>
    perform({ name, store, input, output, run: (order) => tool(order, { store }) })
  return {
    splitSources: step({ name: 'splitSources', input: SplitOrder, output: SplitReply, tool: splitSources }),
    groundPart: step({ name: 'groundPart', input: GroundOrder, output: GroundReply, tool: groundPart }),
    settlePart: step({ name: 'settlePart', input: SettleOrder, output: SettleReply, tool: settlePart }),
    keepContent: step({ name: 'keepContent', input: ContentOrder, output: ContentReply, tool: keepContent }),
    mergeReview: step({ name: 'mergeReview', input: MergeOrder, output: MergeReply, tool: mergeReview }),
  }
}

interface Step<I extends z.ZodType, O extends z.ZodType> {
  name: string
  input: I
  output: O
  tool: (order: z.infer<I>, box: ReviewSetup) => Promise<z.infer<O>>
}
