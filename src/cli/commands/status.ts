import type { RunState } from '../../contracts/run.js'
import { EXIT } from '../../rules/cli-exit-codes.js'
import { plainLine, stepTable } from '../../rules/cli-progress.js'
import { scoreChart } from '../../rules/refine/score-chart.js'
import { argument, type Command, type Output } from '../command.js'
import { NO_WORKER } from '../described-run.js'
import { folded } from '../eval-report.js'
import { findRun } from '../find-run.js'
import { optionsOf } from '../live-progress.js'
import { lookAtRun, type RunLook } from '../look-at-run.js'
import { openStore } from '../open-store.js'
import { storedRun } from '../run-end.js'
import { storePathOf } from '../run-places.js'
import { withRuns } from '../session.js'
import type { Terminal } from '../terminal.js'
import { STORE_OPTION } from './circt-options.js'
import { RUN } from './run-argument.js'

export const statusCommand: Command = {
  path: ['status'],
  summary: 'how a run is just now: steps, open questions, verdict',
  arguments: [RUN],
  options: [STORE_OPTION],
  examples: ['gauntlet status my-crash', 'gauntlet status circt/my-crash --json'],
  run: (context, input) =>
    withRuns(context, async (session) => {
      const { handle } = await findRun(session, argument(input, 'RUN'))
      const look = await lookAtRun(session, handle)
      const { terminal } = context
      if (look.state !== null) return describeLook(look, { state: look.state, hasWorker: true, terminal })
      const stored = await storedRun(await openStore(storePathOf(context, input)), look.workflowId, look.runId)
      return describeLook(look, { state: stored?.state ?? null, hasWorker: false, terminal })
    }),
}

interface Seen {
  state: RunState | null
  hasWorker: boolean
  terminal: Terminal
}

function describeLook(look: RunLook, { state, hasWorker, terminal }: Seen): Output {
  const { workflowId, runId, execution, isClosed, startedAt, closedAt } = look
  const status = statusOf(look, state)
  const json = {
    workflow_id: workflowId,
    run_id: runId,
    status,
    verdict: state?.verdict ?? null,
    execution: execution.toLowerCase(),
    started_at: startedAt,
    ended_at: closedAt,
    has_worker: hasWorker,
    state,
  }
  const head = [workflowId, state?.verdict ?? status, state?.phase ?? '', `since ${startedAt}`]
  const lines = [
    head.filter((word) => word !== '').join('  '),
    ...(state === null ? [] : stateLines(look, state, terminal)),
  ]
  if (!hasWorker && !isClosed) lines.push(NO_WORKER)
  return { exit: EXIT.good, json, text: lines.join('\n') }
}

/** A run that was terminated, or failed at its first step, never wrote its end into its own state. */
function statusOf({ isClosed, execution }: RunLook, state: RunState | null): string {
  const isTold = state !== null && (!isClosed || state.verdict !== null)
  return isTold ? state.status : execution.toLowerCase()
}

function stateLines({ isClosed, closedAt }: RunLook, state: RunState, terminal: Terminal): string[] {
  const { steps, questions, scores, report = [] } = state
  const nowMs = closedAt === null ? Date.now() : Date.parse(closedAt)
  const open = isClosed ? [] : questions.filter((question) => question.answer === null)
  const asked = open.map(({ id, title, deadline, ...question }) => {
    return `? ${id}: ${plainLine(title)} (${optionsOf(question)}; default ${question.default} at ${deadline})`
  })
  const chart = scores === undefined ? [] : scoreChart(scores, terminal.width())
  return [
    ...stepTable(steps, { nowMs, width: 160 }),
    ...(chart.length > 0 ? ['', ...chart] : []),
    ...asked,
    ...(report.length > 0 ? ['', ...folded(report, terminal)] : []),
  ]
}
