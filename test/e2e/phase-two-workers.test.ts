import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureServer, type Server } from '../../src/workers/server.js'
import { startWorker } from '../support/e2e-chaos.js'
import { refsOf, treeWith } from '../support/e2e-checkout.js'
import { type Cli, ensureBuilt, openPlace, type Place, until } from '../support/e2e-cli.js'
import { type Desk, hasPython, openDesk } from '../support/e2e-desk.js'
import { type ActivityStory, openWitness, type Witness } from '../support/e2e-history.js'
import { leftoversIn, programsIn } from '../support/e2e-leftovers.js'
import { answerAboutSums, phaseResultOf, sumsEdits, sumsRepository } from '../support/e2e-phase.js'
import { testCache } from '../support/temporal.js'

const KEY = 'spread'
const PARTS = ['', '/TASK-001/1', '/TASK-002/1'].map((part) => `phase/${KEY}${part}`)

describe.skipIf(!hasPython)(
  `phase workers with folders of their own${hasPython ? '' : ' (left out: no /usr/bin/python3)'}`,
  () => {
    let host: Place
    let places: Place[]
    let server: Server
    let desk: Desk
    let env: { CIRCT_BIN: string; TEMPORAL_ADDRESS: string }

    beforeAll(async () => {
      await ensureBuilt()
      host = openPlace('phase-two-workers')
      places = ['stranger', 'one', 'two'].map((name) => openPlace(`phase-${name}`))
      const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TEMPORAL_')))
      const cache = { XDG_CONFIG_HOME: host.root, GAUNTLET_CACHE: testCache() }
      server = await ensureServer({ home: host.home, env: { ...own, ...cache }, progress: () => undefined })
      env = { CIRCT_BIN: '', TEMPORAL_ADDRESS: server.address }
      desk = await openDesk(host, answerAboutSums)
    }, 180_000)
    afterAll(async () => {
      for (const place of places ?? []) await place.close()
      await desk?.close()
      await server?.release()
      await host?.close()
    })

    it('share the run repository and the store: one is killed, the others finish, though not all know the agent', async () => {
      const repo = sumsRepository()
      const shared = join(host.root, 'shared.git')
      const store = ['--store', join(host.root, 'store')]
      const held = ['tester TASK-001', 'tester TASK-002'].map((name) => `${KEY} ${name}`)
      desk.hold(...held)
      const [nobody, first, second] = places
      if (nobody === undefined || first === undefined || second === undefined) throw new Error('three places')
      const stranger = await startWorker(nobody, env, store)
      const options = ['--repo', repo, '--run-repository', shared, '--isolation', 'always', '--unsandboxed']
      const order = ['start', 'phase', '2', '--key', KEY, ...options, ...desk.agent(KEY), ...store]
      const started = await host.run(order, env)
      expect(started.exit, started.stderr).toBe(0)

      // It cannot ask the planner, and does not fail the run.
      await witnessed(PARTS[0], async (witness) =>
        (await witness.pending()).some((each) => each.name === 'askAgent' && each.attempt > 1),
      )
      const known = [...store, ...desk.agent(KEY)]
      const [one, two] = await Promise.all([startWorker(first, env, known), startWorker(second, env, known)])
      expect(one.said()).toContain('knows the agent command-agent.py-')
      await desk.has(...held)

      const asking = (await Promise.all(PARTS.slice(1).map(askedBy))).flat()
      const victim = asking.includes(identityOf(one)) ? one : two
      await victim.kill('SIGKILL')
      const lost = asking.filter((identity) => identity === identityOf(victim)).length
      await until('the end of its agents', () => desk.lost.length === lost)
      desk.release()
      for (const id of PARTS) await witnessed(id, (witness) => witness.isClosed())

      const { document, result } = phaseResultOf(await host.run(['result', KEY, '--json', ...store], env))
      expect(document.verdict).toBe('accepted')
      expect(result.notes).toEqual([])
      expect(refsOf(shared, document.run_id)['refs/heads/gauntlet/RUN/result']).toBe(treeWith(repo, sumsEdits(2)))
      expect(desk.asked).toHaveLength(7 + lost)
      const stories = (await Promise.all(PARTS.map(storiesOf))).flat()
      expect(stories.filter(({ completed }) => completed !== 1)).toEqual([])
      const survivor = victim === one ? two : one
      const asked = stories.filter(({ name, startedAt }) => name === 'askAgent' && startedAt > 0)
      expect(asked.map(({ identity }) => identity)).not.toContain(identityOf(stranger))
      const workers = new Set(stories.map(({ identity }) => identity))
      expect(workers).toContain(identityOf(survivor))
      expect(workers).toContain(identityOf(stranger))

      for (const worker of [stranger, survivor]) await worker.kill('SIGTERM')
      for (const place of places) expect(programsIn(place)).toEqual([])
      const living = victim === one ? [nobody, second] : [nobody, first]
      for (const { home } of living) expect(leftoversIn(home)).toEqual([])
    }, 420_000)

    async function witnessed(id: string | undefined, isTrue: (witness: Witness) => Promise<boolean>): Promise<void> {
      const witness = await openWitness(host.home, id ?? '')
      try {
        await until(`${id}`, () => isTrue(witness), 200_000)
      } finally {
        await witness.close()
      }
    }

    /** Workers that have an agent of this workflow just now. */
    async function askedBy(id: string): Promise<string[]> {
      const witness = await openWitness(host.home, id)
      try {
        const pending = (await witness.pending()).filter(({ name, isStarted }) => name === 'askAgent' && isStarted)
        return pending.map(({ identity }) => identity)
      } finally {
        await witness.close()
      }
    }

    async function storiesOf(id: string): Promise<ActivityStory[]> {
      const witness = await openWitness(host.home, id)
      try {
        return await witness.stories()
      } finally {
        await witness.close()
      }
    }
  },
)

/** As the SDK names a worker. */
function identityOf({ pid }: Cli): string {
  return `${pid}@${hostname()}`
}
