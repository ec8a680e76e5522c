import { argument, type Command } from '../command.js'
import { findRun } from '../find-run.js'
import { openRunOnly } from '../open-run-only.js'
import { bounded, CALL_MS, withRuns } from '../session.js'
import { waitUntilOver } from '../wait-until-over.js'
import { RUN } from './run-argument.js'

export const cancelCommand: Command = {
  path: ['cancel'],
  summary: 'cancel a run through Temporal, and wait until it has really ended',
  arguments: [RUN],
  examples: ['gauntlet cancel my-crash'],
  run: (context, input) =>
    withRuns(context, async (session) => {
      const run = openRunOnly(await findRun(session, argument(input, 'RUN')))
      await bounded(session, CALL_MS, () => run.handle.cancel())
      return await waitUntilOver(session, run, { signal: context.signal, done: 'canceled' })
    }),
}
