import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow'
import type { Answer, ProjectedFile, ResultDocument, RunState } from '../contracts/run.js'

/** Answer of the update `answer`: which question was closed, and with what. */
export interface AnswerReceipt {
  question: string
  answer: string
}

export const stateQuery = defineQuery<RunState>('state')
/** The user's folder as it should look now; the CLI writes it. */
export const filesQuery = defineQuery<ProjectedFile[]>('files')
/** The result document so far: whole once the run is over, whatever way it ended. */
export const resultQuery = defineQuery<ResultDocument | null>('result')

export const answerUpdate = defineUpdate<AnswerReceipt, [Answer]>('answer')
/** Same payload as the update; what does not fit is ignored, and said in the run's current details. */
export const answerSignal = defineSignal<[Answer]>('answer')
export const guideSignal = defineSignal<[string]>('guide')
export const pauseSignal = defineSignal('pause')
export const resumeSignal = defineSignal('resume')
/** Ends honestly and keeps what is done; the text is the reason. */
export const abortSignal = defineSignal<[string]>('abort')
