import { readdirSync, readFileSync } from 'node:fs'
import { temporal } from '@temporalio/proto'
import { Worker } from '@temporalio/worker'
import { DeterminismViolationError } from '@temporalio/workflow'
import { describe, expect, it } from 'vitest'
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
  it.each(names)('%s', async (name) => {
    const workflowBundleOption = await workflowBundle()
    const history = historyOf(name)
    // A child's id is made of its parent's.
    const id = history.events?.[0]?.workflowExecutionStartedEventAttributes?.workflowId ?? ''
    await Worker.runReplayHistory({ workflowBundle: workflowBundleOption }, history, id)
    expect(logged.filter((line) => line.includes('Nondeterminism'))).toEqual([])
  })
})

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
