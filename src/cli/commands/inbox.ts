import { answerHints } from '../../rules/answer-hints.js'
import { EXIT } from '../../rules/cli-exit-codes.js'
import { plainLine } from '../../rules/cli-progress.js'
import type { Command } from '../command.js'
import { NO_WORKER } from '../described-run.js'
import { optionsOf } from '../live-progress.js'
import { queryState } from '../look-at-run.js'
import { type Session, withSession } from '../session.js'
import { listRuns } from './list.js'

export const inboxCommand: Command = {
  path: ['inbox'],
  summary: 'what all runs ask a person just now',
  examples: ['gauntlet inbox', 'gauntlet inbox --json'],
  run: async (context) => {
    const asked = (await withSession(context, collect)) ?? []
    const lines = asked.flatMap(({ workflow_id, question }) =>
      question === null
        ? [`${workflow_id}: waits for an answer, but ${NO_WORKER}`]
        : [
            `${workflow_id}  ${question.id}: ${plainLine(question.title)}`,
            `  ${plainLine(question.detail)}`,
            `  ${optionsOf(question)}; ${question.default} at ${question.deadline}`,
            ...answerHints(workflow_id, question).map((line) => `  ${line}`),
          ],
    )
    return { exit: EXIT.good, json: asked, text: lines.length === 0 ? 'nothing waits for an answer' : lines.join('\n') }
  },
}

/** One entry per open question; `question` is null for a run that waits and whose worker does not answer. */
async function collect(session: Session) {
  const waiting = await listRuns(session, { status: null, isWaiting: true }, 100)
  const asked = await Promise.all(
    waiting.map(async ({ workflow_id, run_id }) => {
      const state = await queryState(session, session.client.workflow.getHandle(workflow_id))
      if (state === null) return [{ workflow_id, run_id, question: null }]
      const open = state.questions.filter((question) => question.answer === null)
      return open.map((question) => ({ workflow_id, run_id, question }))
    }),
  )
  return asked.flat()
}
