import { EXIT } from '../../rules/cli-exit-codes.js'
import { plainLine } from '../../rules/cli-progress.js'
import { argument, type Command, type Context, type Output } from '../command.js'
import { describeEnd } from '../describe-end.js'
import { evalReport } from '../eval-report.js'
import { findRun } from '../find-run.js'
import { openStore } from '../open-store.js'
import { readReportOptions } from '../review-form.js'
import { withReview } from '../review-output.js'
import { endOfRun, type RunEnd } from '../run-end.js'
import { storePathOf } from '../run-places.js'
import { withRuns } from '../session.js'
import { STORE_OPTION } from './circt-options.js'
import { REPORT_OPTIONS } from './review-options.js'
import { RUN } from './run-argument.js'

export const resultCommand: Command = {
  path: ['result'],
  summary: "a finished run's result; exits as the run did, and with 1 while it is under way",
  arguments: [RUN],
  options: [
    ...REPORT_OPTIONS.map((option) => ({ ...option, summary: `of a review: ${option.summary}` })),
    STORE_OPTION,
  ],
  examples: ['gauntlet result my-crash --json', 'gauntlet result task_review:1 --format sarif --fail-on High'],
  run: async (context, input) => {
    const wanted = await readReportOptions(context, input)
    return await withRuns(context, async (session) => {
      const { handle, workflowId } = await findRun(session, argument(input, 'RUN'))
      const store = await openStore(storePathOf(context, input))
      const end = await endOfRun(session, handle, store)
      if (end === null) return stillRunning(workflowId)
      return await withReview(describeResult(context, end, workflowId), { ...wanted, store })
    })
  },
}

function stillRunning(workflowId: string): Output {
  const message = `${workflowId} is still under way; follow it with \`gauntlet watch ${workflowId}\``
  return { exit: EXIT.negative, json: { error: { type: 'Unfinished', message } }, text: message }
}

function describeResult({ terminal }: Context, end: RunEnd, workflowId: string): Output {
  const output = describeEnd(end, { workflowId, folder: null, files: [] })
  if ('failure' in end) return output
  const { status, verdict, reason, started_at, ended_at, artifacts } = end.document
  const lines = [
    `${workflowId}  ${status}  ${verdict}`,
    plainLine(reason),
    `from ${started_at} to ${ended_at}`,
    `files: ${artifacts.map((artifact) => artifact.name).join(', ') || 'none'} (gauntlet pull ${workflowId} --into DIR)`,
  ]
  const report = evalReport(end.document, terminal)
  return { ...output, text: [...lines, ...(report === null ? [] : ['', report])].join('\n') }
}
