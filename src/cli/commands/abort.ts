import { argument, type Command, textOption } from '../command.js'
import { findRun } from '../find-run.js'
import { openRunOnly } from '../open-run-only.js'
import { sendSignal } from '../send-signal.js'
import { withRuns } from '../session.js'
import { waitUntilOver } from '../wait-until-over.js'
import { RUN } from './run-argument.js'

export const abortCommand: Command = {
  path: ['abort'],
  summary: 'end a run honestly: its programs are stopped, what is done is kept',
  arguments: [RUN],
  options: [{ flags: '--reason <TEXT>', summary: "why; kept in the run's result" }],
  examples: ["gauntlet abort my-crash --reason 'reported already'"],
  run: (context, input) =>
    withRuns(context, async (session) => {
      const run = openRunOnly(await findRun(session, argument(input, 'RUN')))
      const reason = textOption(input, 'reason') ?? 'aborted by a person'
      await sendSignal(session, run, { name: 'abort', args: [reason.slice(0, 1000)], done: 'is being aborted' })
      return await waitUntilOver(session, run, { signal: context.signal, done: 'aborted' })
    }),
}
