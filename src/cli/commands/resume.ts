import { argument, type Command } from '../command.js'
import { findRun } from '../find-run.js'
import { openRunOnly } from '../open-run-only.js'
import { sendSignal } from '../send-signal.js'
import { withRuns } from '../session.js'
import { RUN } from './run-argument.js'

export const resumeCommand: Command = {
  path: ['resume'],
  summary: 'let a paused run go on',
  arguments: [RUN],
  examples: ['gauntlet resume my-crash'],
  run: (context, input) =>
    withRuns(context, async (session) => {
      const run = openRunOnly(await findRun(session, argument(input, 'RUN')))
      return await sendSignal(session, run, { name: 'resume', args: [], done: 'goes on' })
    }),
}
