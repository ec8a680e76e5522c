import { fileURLToPath } from 'node:url'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { Worker } from '@temporalio/worker'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { skipTime, timeSkippingEnv } from './temporal.js'

let env: TestWorkflowEnvironment
let worker: Worker
let running: Promise<void>
let calls = 0

beforeAll(async () => {
  env = await timeSkippingEnv()
  const workflowsPath = fileURLToPath(new URL('../fixtures/workflows/waits.ts', import.meta.url))
  const activities = { work: flaky }
  worker = await Worker.create({ connection: env.nativeConnection, taskQueue: 'waits', workflowsPath, activities })
  running = worker.run()
}, 180_000)
afterAll(async () => {
  worker.shutdown()
  await running
  await env.teardown()
})

/** Fails the first time: the hour until the next attempt is skipped too. */
function flaky(): Promise<string> {
  calls += 1
  return calls === 1 ? Promise.reject(new Error('the first time')) : Promise.resolve('done')
}

test('a run that skips time waits 31 days in seconds', async () => {
  const result = await env.client.workflow.execute('waits', { workflowId: 'skips', taskQueue: 'waits' })
  expect(result).toEqual({ days: 31, wasAnswered: false, work: 'done' })
})

test('a run in real time can be answered, and told to skip afterwards', async () => {
  const { workflowService } = env.connection
  const plain = { namespace: 'default', workflowId: 'real', requestId: 'real', timeSkippingConfig: null }
  await workflowService.startWorkflowExecution({
    ...plain,
    workflowType: { name: 'waits' },
    taskQueue: { name: 'waits' },
  })
  const handle = env.client.workflow.getHandle('real')
  await handle.signal('answer')
  await skipTime(env, 'real')
  expect(await handle.result()).toEqual({ days: 1, wasAnswered: true, work: 'done' })
})
