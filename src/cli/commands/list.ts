import type { WorkflowExecutionInfo } from '@temporalio/client'
import { RunStatus } from '../../contracts/run.js'
import { EXIT } from '../../rules/cli-exit-codes.js'
import { listedRun, type ListedRun, visibilityQuery } from '../../rules/cli-list.js'
import { mistake } from '../cli-error.js'
import { type Command, type CommandInput, hasOption, textOption } from '../command.js'
import { beginningOf } from '../described-run.js'
import { table } from '../print.js'
import { bounded, CALL_MS, type Session, withSession } from '../session.js'

export const listCommand: Command = {
  path: ['list'],
  summary: 'the runs the server knows, newest first',
  options: [
    { flags: '--status <STATUS>', summary: 'only these', choices: [...RunStatus.options, 'terminated', 'timed_out'] },
    { flags: '--waiting', summary: 'only runs that wait for a person' },
    { flags: '--limit <N>', summary: 'at most so many', default: '50' },
  ],
  examples: ['gauntlet list --status running', 'gauntlet list --waiting --json'],
  run: async (context, input) => {
    const limit = limitOf(input)
    const order = { status: textOption(input, 'status') ?? null, isWaiting: hasOption(input, 'waiting') }
    const runs = (await withSession(context, (session) => listRuns(session, order, limit))) ?? []
    const rows = runs.map((run) => [
      run.workflow_id,
      run.status,
      run.is_waiting ? 'waits for an answer' : '',
      run.started_at,
    ])
    const text = rows.length === 0 ? 'no runs yet' : table([['RUN', 'STATUS', '', 'STARTED'], ...rows])
    return { exit: EXIT.good, json: runs, text: isFiltered(order) && rows.length === 0 ? 'no such runs' : text }
  },
}

interface ListOrder {
  status: string | null
  isWaiting: boolean
}

/** The runs that fit, newest first; `limit` of them at most. */
export async function listRuns(session: Session, order: ListOrder, limit: number): Promise<ListedRun[]> {
  const runs: ListedRun[] = []
  await bounded(session, CALL_MS, async () => {
    const query = visibilityQuery(order)
    for await (const info of session.client.workflow.list({ query, pageSize: Math.min(limit, 200) })) {
      const run = listedRun(facts(info))
      if (order.status === null || run.status === order.status) runs.push(run)
      if (runs.length >= limit) break
    }
  })
  return runs
}

function facts(info: WorkflowExecutionInfo) {
  const value = (name: string) => (info.searchAttributes as Record<string, readonly unknown[] | undefined>)[name]?.[0]
  return {
    workflowId: info.workflowId,
    ...beginningOf(info),
    execution: info.status.name,
    closedAt: info.closeTime?.toISOString() ?? null,
    attributes: {
      pipeline: value('GauntletPipeline'),
      status: value('GauntletStatus'),
      waiting: value('GauntletWaiting'),
      key: value('GauntletKey'),
    },
  }
}

function limitOf(input: CommandInput): number {
  const text = textOption(input, 'limit') ?? '50'
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (limit < 1) throw mistake('--limit', 'a whole number from 1', JSON.stringify(text))
  return limit
}

function isFiltered({ status, isWaiting }: ListOrder): boolean {
  return status !== null || isWaiting
}
