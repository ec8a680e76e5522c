import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { MinimizeProgress } from '../../src/contracts/minimize-progress.js'
import { findFirtool } from '../support/e2e-case.js'
import {
  chaosSeed,
  expectedReport,
  randomFrom,
  survive,
  type Plain,
  type Survival,
  type ToolEnv,
  undisturbed,
} from '../support/e2e-chaos.js'
import { ensureBuilt, openPlace, type Place } from '../support/e2e-cli.js'
import type { Witness } from '../support/e2e-history.js'
import { hasServer, leftoversIn } from '../support/e2e-leftovers.js'

const firtool = await findFirtool()
const random = randomFrom(chaosSeed)

describe.skipIf('missing' in firtool)(
  `a run through firtool 1.62.1${'missing' in firtool ? ` (left out: ${firtool.missing})` : ''}, seed ${chaosSeed}`,
  () => {
    const env: ToolEnv = { CIRCT_BIN: 'folder' in firtool ? firtool.folder : '' }
    let place: Place
    let plain: Plain

    beforeAll(async () => {
      await ensureBuilt()
      place = openPlace('killed-worker')
      plain = await undisturbed(place, env)
    }, 180_000)
    afterEach(() => {
      expect(hasServer(place.home)).toBe(false)
      expect(leftoversIn(place.home).filter((name) => !name.startsWith('runs/'))).toEqual([])
    })
    afterAll(() => place?.close())

    it('ends as the undisturbed one when its worker is killed at a random moment', async () => {
      const when = random() * plain.milliseconds
      expectUnharmed(await survive(place, env, { key: 'worker', victim: 'worker', when }))
    }, 180_000)

    it('goes on with a reduction from its best so far', async () => {
      const survival = await survive(place, env, { key: 'reduction', victim: 'worker', when: isHalfReduced })
      expectUnharmed(survival)
      const minimize = survival.stories.find(({ name }) => name === 'minimizeCase')
      expect(minimize?.attempts).toBe(2)
      expect(survival.reduction.firstLines).toBeLessThanOrEqual(survival.left?.lines ?? 0)
      expect(survival.reduction.runs).toBeLessThan(plain.reduction.runs)
    }, 180_000)

    it('ends as the undisturbed one when server and worker are killed together', async () => {
      const when = random() * plain.milliseconds
      expectUnharmed(await survive(place, env, { key: 'both', victim: 'server and worker', when }))
    }, 180_000)

    function expectUnharmed({ report, stories, orphans, readyAfterMs, movedAfterMs }: Survival): void {
      expect(report).toEqual(expectedReport(plain.report, report))
      expect(stories.map(({ name, completed }) => `${name} ${completed}`).sort()).toEqual(EVERY_STEP_ONCE)
      expect(orphans).toEqual([])
      // On a machine that starts a worker slowly, its start is not what is measured.
      expect((movedAfterMs ?? 0) - readyAfterMs).toBeLessThan(10_000)
    }
  },
)

const ORIGINAL_LINES = 17

const EVERY_STEP_ONCE = [
  'analyzeRootCause 1',
  'checkDuplicates 1',
  'generateIssue 1',
  'minimizeCase 1',
  'reproduceCrash 1',
  'validateCase 1',
]

async function isHalfReduced(witness: Witness): Promise<boolean> {
  const minimize = (await witness.pending()).find(({ name }) => name === 'minimizeCase')
  const progress = MinimizeProgress.safeParse(minimize?.heartbeat)
  return progress.success && progress.data.lines < ORIGINAL_LINES && progress.data.runs > 20
}
