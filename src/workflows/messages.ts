import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow'
import type { Answer, ProjectedFile, ResultDocument, RunState } from '../contracts/run.js'

/** Answer of the update `answer`: which question was closed, and with what. */
export interface AnswerReceipt {
  question: string
  answer: string
}

export interface RunView {
  state: RunState
  /** The user's folder as it should look now; the CLI writes it. */
  files: ProjectedFile[]
  /** Null until the run is over, whatever way it ended. */
  result: ResultDocument | null
}

export const stateQuery = defineQuery<RunState>('state')
/** All there is to see, in one question: what the CLI follows a run by. */
export const viewQuery = defineQuery<RunView>('view')

export const answerUpdate = defineUpdate<AnswerReceipt, [Answer]>('answer')
/** Same payload as the update; what does not fit is ignored, and said in the run's current details. */
export const answerSignal = defineSignal<[Answer]>('answer')
export const guideSignal = defineSignal<[string]>('guide')
export const pauseSignal = defineSignal('pause')
export const resumeSignal = defineSignal('resume')
/** Ends honestly and keeps what is done; the text is the reason. */
export const abortSignal = defineSignal<[string]>('abort')
