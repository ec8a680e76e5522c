import type { ReviewRetry } from '../../contracts/review-report.js'
import type { ReviewTask } from '../../contracts/review-task.js'
import { messageOf, raisedDemands, recoveryAction, retryContext, type ReviewEvent } from './supervise.js'

/** The task as the next agent is told it: with what went wrong, what was done about it, and what is asked for because of it (seed 004, 6.3). */
export function retryTask(task: ReviewTask, events: readonly ReviewEvent[]): ReviewTask {
  const context = retryContext(events)
  if (context === null) return task
  const { attempt_number, previous_errors, recovery_actions_taken } = context
  const last = previous_errors.at(-1) ?? ''
  const words = `Retry: the last attempt failed: ${cut(last, 1_000)} (${recovery_actions_taken.at(-1) ?? ''}).`
  const demands = raisedDemands(events).map((demand) => cut(`Mend what was wanting: ${demand}`, 2_000))
  return {
    ...task,
    task_desc: cut([task.task_desc ?? '', words].filter((text) => text !== '').join(' '), 20_000),
    extra_requirements: [...task.extra_requirements, ...demands].slice(0, 100),
    retry_context: {
      attempt_number,
      previous_errors: previous_errors.slice(-10).map((text) => cut(text, 1_000)),
      recovery_actions_taken: recovery_actions_taken.slice(-10),
    },
  }
}

/** The failures of a part as the report lists them. */
export function retriesOf(part: string, events: readonly ReviewEvent[]): ReviewRetry[] {
  return events.flatMap((event) => {
    const error = messageOf(event)
    if (error === '' || event.step === 'content') return []
    const stage = event.step === 'ground' ? 'review' : event.step
    return [{ part, stage, error: cut(error, 1_000), action: recoveryAction(event) }]
  })
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`
}
