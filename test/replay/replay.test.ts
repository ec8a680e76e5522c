import { readdirSync, readFileSync } from 'node:fs'
import { temporal } from '@temporalio/proto'
import { Worker } from '@temporalio/worker'
import { DeterminismViolationError } from '@temporalio/workflow'
import { beforeAll, describe, expect, it } from 'vitest'
import { workflowBundle } from '../../src/workers/workflow-bundle.js'
import { logged } from '../support/quiet-temporal.js'

/**
 * Runs that are under way when a new version arrives are replayed by it. These histories are such runs, each with its story
 * in its name. They are kept as they were recorded: a change of workflow code that breaks one is `patched`, or is wrong.
 * A new story is `History.toObject` of what `handle.fetchHistory()` gives for a run of test/workflows (`longs`, `bytes` and
 * `enums` as String), its identities blanked. (`historyToJSON` fails where two versions of protobufjs are installed.)
 */
const FOLDER = new URL('./histories/', import.meta.url)
const names = readdirSync(FOLDER)

describe("today's workflows replay", () => {
  /** By the id of the run, null where it replayed. */
  const faults = new Map<string, string | null>()
  beforeAll(async () => {
    // One worker for all: starting one takes longer than a history.
    const options = { workflowBundle: await workflowBundle() }
    for await (const { runId, error } of Worker.runReplayHistories(options, histories()))
      faults.set(runId, error?.message ?? null)
  }, 120_000)

  it.each(names)('%s', (name) => {
    expect(faults.get(startOf(historyOf(name)).originalExecutionRunId ?? '')).toBeNull()
  })
  it('without a word of nondeterminism', () => {
    expect(logged.filter((line) => line.includes('Nondeterminism'))).toEqual([])
  })
})

/** With their own ids: a child's is made of its parent's. */
async function* histories() {
  for (const history of names.map(historyOf)) yield { workflowId: startOf(history).workflowId ?? '', history }
}

function startOf({ events }: temporal.api.history.v1.IHistory) {
  const start = events?.[0]?.workflowExecutionStartedEventAttributes
  if (!start) throw new Error('a history begins with the start of its workflow')
  return start
}

it('a history that does not fit is noticed', async () => {
  const history = historyOf('eager-report-ready.json')
  const scheduled = history.events?.find(
    (event) => event.activityTaskScheduledEventAttributes?.activityType?.name === 'reproduceCrash',
  )
  const attributes = scheduled?.activityTaskScheduledEventAttributes
  if (!attributes?.activityType) throw new Error('the history has no reproduceCrash')
  attributes.activityType.name = 'anotherActivity'
  const options = { workflowBundle: await workflowBundle() }
  await expect(Worker.runReplayHistory(options, history)).rejects.toBeInstanceOf(DeterminismViolationError)
})

function historyOf(name: string): temporal.api.history.v1.IHistory {
  return temporal.api.history.v1.History.fromObject(JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as object)
}
