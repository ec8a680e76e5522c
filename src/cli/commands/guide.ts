import { mistake } from '../cli-error.js'
import { argument, type Command } from '../command.js'
import { findRun } from '../find-run.js'
import { openRunOnly } from '../open-run-only.js'
import { sendSignal } from '../send-signal.js'
import { withRuns } from '../session.js'
import { RUN } from './run-argument.js'

export const guideCommand: Command = {
  path: ['guide'],
  summary: 'say something to a run: the text joins its next prompts',
  arguments: [RUN, { name: 'TEXT', summary: 'what to say, at most 10,000 characters' }],
  examples: ["gauntlet guide my-crash 'the bug is in the canonicalizer, leave the parser alone'"],
  run: (context, input) =>
    withRuns(context, async (session) => {
      const text = argument(input, 'TEXT')
      if (text.trim() === '' || text.length > MAX_TEXT) {
        throw mistake('TEXT', `1 to ${MAX_TEXT} characters`, `${text.length}`)
      }
      const run = openRunOnly(await findRun(session, argument(input, 'RUN')))
      return await sendSignal(session, run, { name: 'guide', args: [text], done: 'guidance kept for its next prompts' })
    }),
}

const MAX_TEXT = 10_000
