import '../support/quiet-temporal.js'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../src/cli/open-store.js'
import { ResultDocument } from '../../src/contracts/run.js'
import { type JuryWorker, startJuryWorker } from '../support/eval-jury.js'
import { devServerEnv } from '../support/temporal.js'
import { typed } from '../support/typed-cli.js'

/** The command line on a jury whose history is continued after each move: programs on texts that are all worth the same. */
let env: TestWorkflowEnvironment
let worker: JuryWorker
let home = ''

beforeAll(async () => {
  env = await devServerEnv(undefined, ['limit.historyCount.suggestContinueAsNew=12'])
  home = realpathSync(mkdtempSync(join(tmpdir(), 'gauntlet-chain-')))
  mkdirSync(join(home, 'c'))
  for (const name of ['a', 'b', 'c']) writeFileSync(join(home, 'c', `${name}.md`), 'worth 5\n')
  writeFileSync(join(home, 'criteria.txt'), 'worth\n')
  const store = await openStore(join(home, 'store'))
  const level = () => ({ score: 5 })
  const programs = { one: level, two: level }
  worker = await startJuryWorker({ connection: env.nativeConnection, store, judges: {}, programs })
}, 120_000)

afterAll(async () => {
  await worker?.stop()
  await env?.teardown()
  rmSync(home, { recursive: true, force: true })
})

async function gauntlet(...argv: string[]) {
  const ended = await typed(argv, { home, env: { TEMPORAL_ADDRESS: env.address } })
  return { ...ended, json: () => JSON.parse(ended.stdout) as Record<string, unknown> }
}

async function startJury(key: string) {
  const files = ['--candidates', 'c', '--criteria', 'criteria.txt']
  const judges = ['--judge', 'one=builtin:size', '--judge', 'two=builtin:size']
  const options = ['--key', key, '--ask', '--answer-within', '1h', '--unsandboxed', '--json']
  return await gauntlet('start', 'eval', ...files, ...judges, ...options)
}

/** Waits in its second history for a person: nobody is worse than the others. */
async function startTied(key: string): Promise<{ first: string; latest: string }> {
  const started = await startJury(key)
  expect(started.stderr).toBe('')
  const first = String(started.json()['run_id'])
  const isWaiting = async () => (await gauntlet('inbox', '--json')).stdout.includes(`"eval/${key}"`)
  await expect.poll(isWaiting, { timeout: 60_000, interval: 500 }).toBe(true)
  const { runId } = await env.client.workflow.getHandle(`eval/${key}`).describe()
  expect(runId).not.toBe(first)
  return { first, latest: runId }
}

describe('a run that went on in a new history', () => {
  it('is one run to list, status and attach, by its key and by any of its run ids', async () => {
    const { first, latest } = await startTied('seen')
    const listed = (await gauntlet('list', '--json')).json() as unknown as Record<string, unknown>[]
    expect(listed.filter(({ key }) => key === 'seen')).toMatchObject([{ run_id: first, status: 'waiting' }])
    for (const name of ['seen', 'eval/seen', first, latest]) {
      const status = (await gauntlet('status', name, '--json')).json()
      expect(status).toMatchObject({ workflow_id: 'eval/seen', run_id: first, status: 'waiting' })
    }
    const again = await startJury('seen')
    expect(again.json()).toMatchObject({ run_id: first, is_new: false })
    expect(await gauntlet('abort', first, '--reason', 'enough')).toMatchObject({ exit: 0 })
    const result = await gauntlet('result', first, '--json')
    expect(ResultDocument.parse(result.json())).toMatchObject({ run_id: first, status: 'aborted', reason: 'enough' })
  }, 240_000)

  it('is watched to its end, answered on the way, and its files are pulled', async () => {
    const { first } = await startTied('watched')
    const watched = gauntlet('watch', first, '--json')
    for (const [question, option] of [
      ['round-1', 'keep'],
      ['round-2', 'go_on'],
      ['consensus', 'take-2'],
    ] as const) {
      const isAsked = async () => (await gauntlet('inbox', '--json')).stdout.includes(`"${question}"`)
      await expect.poll(isAsked, { timeout: 60_000, interval: 500 }).toBe(true)
      expect(await gauntlet('answer', 'watched', question, '--option', option)).toMatchObject({ exit: 0 })
    }
    const document = ResultDocument.parse((await watched).json())
    expect(document).toMatchObject({ run_id: first, status: 'completed', verdict: 'recommended' })
    expect((await gauntlet('result', 'watched', '--json')).json()).toEqual((await watched).json())
    expect((await gauntlet('pull', 'watched', '--into', 'pulled', '--json')).json()).toMatchObject({ run_id: first })
  }, 240_000)

  it('is paused, resumed and cancelled in whatever history it is', async () => {
    const { first } = await startTied('stopped')
    expect(await gauntlet('pause', 'stopped')).toMatchObject({ exit: 0 })
    const isPaused = async () => (await gauntlet('status', 'stopped', '--json')).json()['status']
    await expect.poll(isPaused, { timeout: 60_000 }).toBe('paused')
    expect(await gauntlet('resume', first)).toMatchObject({ exit: 0 })
    expect(await gauntlet('cancel', 'stopped')).toMatchObject({ exit: 0 })
    const ended = await gauntlet('result', 'stopped', '--json')
    expect(ResultDocument.parse(ended.json())).toMatchObject({ run_id: first, status: 'canceled' })
  }, 240_000)
})
