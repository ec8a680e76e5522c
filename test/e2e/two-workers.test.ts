import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureServer, type Server } from '../../src/workers/server.js'
import { findFirtool, makeCase } from '../support/e2e-case.js'
import { runArguments, startWorker, type ToolEnv } from '../support/e2e-chaos.js'
import { type Cli, ensureBuilt, openPlace, type Place, until } from '../support/e2e-cli.js'
import { openWitness, type Witness } from '../support/e2e-history.js'
import { orphansOf, stillThere } from '../support/e2e-leftovers.js'
import { testCache } from '../support/temporal.js'

const firtool = await findFirtool()

describe.skipIf('missing' in firtool)(
  `two workers with folders of their own${'missing' in firtool ? ` (left out: ${firtool.missing})` : ''}`,
  () => {
    let host: Place
    let places: Place[]
    let server: Server
    let env: ToolEnv & { TEMPORAL_ADDRESS: string }

    beforeAll(async () => {
      await ensureBuilt()
      host = openPlace('two-workers')
      places = ['one', 'two', 'stranger'].map(openPlace)
      const cache = { XDG_CONFIG_HOME: host.root, GAUNTLET_CACHE: testCache() }
      server = await ensureServer({ home: host.home, env: { ...baseEnv(), ...cache }, progress: () => undefined })
      env = { CIRCT_BIN: 'folder' in firtool ? firtool.folder : '', TEMPORAL_ADDRESS: server.address }
    }, 180_000)
    afterAll(async () => {
      for (const place of places ?? []) await place.close()
      await server?.release()
      await host?.close()
    })

    it('share a store: both do steps, one is killed, the other finishes; a stranger to the store gets none', async () => {
      const store = ['--store', join(host.root, 'store')]
      const [one, two, stranger] = await Promise.all(
        places.map((place, index) => startWorker(place, env, index < 2 ? store : [])),
      )
      if (one === undefined || two === undefined || stranger === undefined) throw new Error('three workers')
      expect(storeOf(one)).toBe(storeOf(two))
      expect(storeOf(stranger)).not.toBe(storeOf(one))
      const runs = ['left', 'right']
      for (const key of runs) makeCase(host.root, key)
      const starts = await Promise.all(runs.map((key) => host.run([...runArguments('start', key), ...store], env)))
      expect(starts.map(({ exit }) => exit)).toEqual([0, 0])
      const witnesses = await Promise.all(runs.map((key) => openWitness(host.home, `circt/${key}`)))
      const victim = await untilBothWork(witnesses, [one, two])
      const [first, second] = places
      const place = victim === one ? first : second
      if (place === undefined) throw new Error('a place for each worker')
      await victim.kill('SIGKILL')
      const orphans = await orphansOf(place)
      await until('the end of both runs', async () =>
        (await Promise.all(witnesses.map((each) => each.isClosed()))).every(Boolean),
      )
      const stories = (await Promise.all(witnesses.map((witness) => witness.stories()))).flat()
      for (const witness of witnesses) await witness.close()
      const survivor = victim === one ? two : one
      const again = stories.filter(({ attempts }) => attempts > 1)
      expect(again.map(({ name }) => name)).toContain('minimizeCase')
      expect(new Set(again.map(({ identity }) => identity))).toEqual(new Set([identityOf(survivor)]))
      expect(stories.map(({ identity }) => identity)).not.toContain(identityOf(stranger))
      expect(stories.map(({ completed }) => completed)).toEqual(Array.from({ length: 12 }, () => 1))
      for (const key of runs) {
        const { exit } = await host.run(['result', key, ...store], env)
        expect(exit).toBe(0)
      }
      await startWorker(place, env, store)
      expect(stillThere(place, orphans)).toEqual([])
    }, 240_000)
  },
)

/** Waits until each worker has a step, done or under way, and one of them a reduction: that one is returned. */
async function untilBothWork(witnesses: readonly Witness[], workers: readonly Cli[]): Promise<Cli> {
  let victim: Cli | undefined
  await until('both workers at work', async () => {
    const done = (await Promise.all(witnesses.map((witness) => witness.stories()))).flat()
    const pending = (await Promise.all(witnesses.map((witness) => witness.pending()))).flat()
    const underWay = pending.filter(({ isStarted }) => isStarted)
    const seen = new Set([...done, ...underWay].map(({ identity }) => identity))
    const reducing = new Set(underWay.filter(({ name }) => name === 'minimizeCase').map(({ identity }) => identity))
    victim = workers.find((worker) => reducing.has(identityOf(worker)))
    return workers.every((worker) => seen.has(identityOf(worker))) && victim !== undefined
  })
  if (victim === undefined) throw new Error('no worker has a reduction under way')
  return victim
}

/** As the SDK names a worker. */
function identityOf({ pid }: Cli): string {
  return `${pid}@${hostname()}`
}

function storeOf(worker: Cli): string | undefined {
  return /store ([a-z0-9]+)/u.exec(worker.said())?.[1]
}

function baseEnv(): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('TEMPORAL_'))
  return Object.fromEntries(own)
}
