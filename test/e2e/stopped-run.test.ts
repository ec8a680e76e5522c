import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCase } from '../support/e2e-case.js'
import { runArguments, startWorker } from '../support/e2e-chaos.js'
import { type Cli, ensureBuilt, openPlace, type Place, until } from '../support/e2e-cli.js'
import { openWitness } from '../support/e2e-history.js'
import { hasProc, hasServer, leftoversIn, programsIn } from '../support/e2e-leftovers.js'

/** Works for ever with both hands, and takes no polite word for it. */
const HANGING_COMPILER = `#!/bin/sh
case "$1" in --version) echo 'CIRCT firtool-1.62.1'; exit 0;; esac
trap '' TERM INT HUP
(while :; do sleep 1; done) &
while :; do :; done
`

const ORDERS = [
  { order: 'cancel', args: [], status: 'canceled' },
  { order: 'abort', args: ['--reason', 'enough'], status: 'aborted' },
]

describe.skipIf(!hasProc)('a run whose compiler hangs', () => {
  let place: Place
  let worker: Cli
  let tools: string

  beforeAll(async () => {
    await ensureBuilt()
    place = openPlace('stopped-run')
    tools = join(place.root, 'firtool-1.62.1')
    mkdirSync(tools)
    writeFileSync(join(tools, 'firtool'), HANGING_COMPILER)
    chmodSync(join(tools, 'firtool'), 0o755)
  }, 180_000)
  afterAll(() => place?.close())

  it.each(ORDERS)(
    'is told to $order: the compiler is dead within two seconds, and status tells the truth',
    async ({ order, args, status }) => {
      makeCase(place.root, order)
      worker = await startWorker(place, { CIRCT_BIN: tools })
      expect((await place.run(runArguments('start', order))).exit).toBe(0)
      await until('a compiler at work', () => compilers().length > 0)
      const witness = await openWitness(place.home, `circt/${order}`)
      const command = place.start([order, order, ...args])
      await until('the death of the compilers', () => programsIn(place).length === 0)
      const deadAt = Date.now()
      expect((await command.ended).exit).toBe(0)
      expect(deadAt - (await witness.orderedAt())).toBeLessThan(2_000)
      await witness.close()
      expect(await statusOf(order)).toMatchObject({ status, has_worker: true })
      await worker.kill('SIGTERM')
      expect(hasServer(place.home)).toBe(false)
      expect(leftoversIn(place.home).filter((name) => !name.startsWith('runs/'))).toEqual([])
      expect(await statusOf(order)).toMatchObject({ status, has_worker: false })
    },
    180_000,
  )

  function compilers(): string[] {
    return programsIn(place).filter((line) => line.includes('firtool'))
  }

  async function statusOf(key: string): Promise<unknown> {
    const { stdout } = await place.run(['status', key, '--json'])
    return JSON.parse(stdout)
  }
})
