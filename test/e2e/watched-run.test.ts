import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readServerRecord } from '../../src/workers/server-record.js'
import { makeCase } from '../support/e2e-case.js'
import { runArguments, startWorker } from '../support/e2e-chaos.js'
import { ensureBuilt, openPlace, type Place, until } from '../support/e2e-cli.js'
import { hasProc, hasServer, programsIn } from '../support/e2e-leftovers.js'

const HANGING_COMPILER = `#!/bin/sh
case "$1" in --version) echo 'CIRCT firtool-1.62.1'; exit 0;; esac
while :; do sleep 1; done
`

describe.skipIf(!hasProc)('a run that is only watched', () => {
  let place: Place

  beforeAll(async () => {
    await ensureBuilt()
    place = openPlace('watched-run')
  }, 180_000)
  afterAll(() => place?.close())

  it('gets its dead server back from who watches, and goes on being watched', async () => {
    const tools = join(place.root, 'firtool-1.62.1')
    mkdirSync(tools)
    writeFileSync(join(tools, 'firtool'), HANGING_COMPILER)
    chmodSync(join(tools, 'firtool'), 0o755)
    makeCase(place.root, 'watched')
    const worker = await startWorker(place, { CIRCT_BIN: tools })
    expect((await place.run(runArguments('start', 'watched'))).exit).toBe(0)
    await until('a compiler at work', () => programsIn(place).length > 0)
    const watch = place.start(['watch', 'watched'])
    await watch.hears(/reproduce/)
    const killed = readServerRecord(place.home)?.owner?.pid ?? 0
    process.kill(killed, 'SIGKILL')
    await worker.kill('SIGKILL')
    await until('a server again', () => hasServer(place.home) && readServerRecord(place.home)?.owner?.pid !== killed)
    const second = await startWorker(place, { CIRCT_BIN: tools })
    expect((await place.run(['abort', 'watched', '--reason', 'enough'])).exit).toBe(0)
    const { exit, stdout } = await watch.ended
    expect(exit).toBe(1)
    expect(stdout).toContain('enough')
    await second.kill('SIGTERM')
    expect(hasServer(place.home)).toBe(false)
  }, 180_000)
})
