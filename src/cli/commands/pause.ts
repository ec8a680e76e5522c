import { argument, type Command } from '../command.js'
import { findRun } from '../find-run.js'
import { openRunOnly } from '../open-run-only.js'
import { sendSignal } from '../send-signal.js'
import { withRuns } from '../session.js'
import { RUN } from './run-argument.js'

export const pauseCommand: Command = {
  path: ['pause'],
  summary: 'let a run start no further step; what runs goes on to its end',
  arguments: [RUN],
  examples: ['gauntlet pause my-crash'],
  run: (context, input) =>
    withRuns(context, async (session) => {
      const run = openRunOnly(await findRun(session, argument(input, 'RUN')))
      return await sendSignal(session, run, { name: 'pause', args: [], done: 'pauses; `gauntlet resume` goes on' })
    }),
}
