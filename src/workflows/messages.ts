import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow'
import type { TaskStatus } from '../contracts/phase.js'
import type { Answer, ProjectedFile, ResultDocument, RunState } from '../contracts/run.js'
import { RUN_MESSAGES } from '../rules/run-messages.js'

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

export const stateQuery = defineQuery<RunState>(RUN_MESSAGES.state)
/** All there is to see, in one question: what the CLI follows a run by. */
export const viewQuery = defineQuery<RunView>(RUN_MESSAGES.view)

export const answerUpdate = defineUpdate<AnswerReceipt, [Answer]>(RUN_MESSAGES.answer)
/** Same payload as the update; what does not fit is ignored, and said in the run's current details. */
export const answerSignal = defineSignal<[Answer]>(RUN_MESSAGES.answer)
export const guideSignal = defineSignal<[string]>(RUN_MESSAGES.guide)
export const pauseSignal = defineSignal(RUN_MESSAGES.pause)
export const resumeSignal = defineSignal(RUN_MESSAGES.resume)
/** Ends honestly and keeps what is done; the text is the reason. */
/** The content file of a review was lost or broken, and has been written again; the text says how it was found. */
export const contentRebuiltSignal = defineSignal<[string]>(RUN_MESSAGES.contentRebuilt)
export const abortSignal = defineSignal<[string]>(RUN_MESSAGES.abort)

/** What a task's child workflow tells its run while it works. */
export interface TaskMove {
  task: string
  status: TaskStatus
  /** 'develop, round 2': one line for a person. */
  note: string
}
export const taskMovedSignal = defineSignal<[TaskMove]>('taskMoved')
