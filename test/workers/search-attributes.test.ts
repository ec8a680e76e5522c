import type { Connection } from '@temporalio/client'
import { TestWorkflowEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureTemporalCli } from '../../src/tools/download/temporal-cli.js'
import { ensureSearchAttributes } from '../../src/workers/search-attributes.js'
import { testCache } from '../support/temporal.js'

let env: TestWorkflowEnvironment
let connection: Connection

beforeAll(async () => {
  const cli = await ensureTemporalCli({ cache: testCache(), env: process.env, progress: () => {} })
  env = await TestWorkflowEnvironment.createLocal({
    server: { executable: { type: 'existing-path', path: cli.path }, log: { format: 'pretty', level: 'error' } },
  })
  connection = env.connection
}, 180_000)
afterAll(() => env.teardown())

function refusing(code: number, listed: Record<string, number> = {}) {
  const refuse = () => Promise.reject(Object.assign(new Error('no'), { code }))
  const listSearchAttributes = () => Promise.resolve({ customAttributes: listed })
  return { operatorService: { listSearchAttributes, addSearchAttributes: refuse } } as unknown as Connection
}

test('missing attributes are registered, and a second time nothing is', async () => {
  const before = await connection.operatorService.listSearchAttributes({ namespace: 'default' })
  expect(before.customAttributes).not.toHaveProperty('GauntletKey')
  await ensureSearchAttributes(connection, 'default')
  await ensureSearchAttributes(connection, 'default')
  const after = await connection.operatorService.listSearchAttributes({ namespace: 'default' })
  expect(after.customAttributes).toMatchObject({
    GauntletPipeline: 2,
    GauntletStatus: 2,
    GauntletWaiting: 5,
    GauntletKey: 2,
  })
})

test('where registering is forbidden, the exact command for the missing ones is named', async () => {
  const known = { GauntletPipeline: 2, GauntletStatus: 2 }
  await expect(ensureSearchAttributes(refusing(7, known), 'theirs')).rejects.toMatchObject({
    type: 'Tool.Missing',
    message: expect.stringContaining(
      'temporal operator search-attribute create --namespace theirs --name GauntletWaiting --type Bool --name GauntletKey --type Keyword',
    ),
  })
})

test('an attribute of another type is told', async () => {
  const known = { GauntletPipeline: 2, GauntletStatus: 2, GauntletWaiting: 2, GauntletKey: 2 }
  const failure = ensureSearchAttributes(refusing(7, known), 'theirs')
  await expect(failure).rejects.toThrow('search attribute GauntletWaiting of theirs is not of type Bool')
})
