import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFirtool, makeCase, reportOf } from '../support/e2e-case.js'
import { type Plain, runArguments, type ToolEnv, undisturbed } from '../support/e2e-chaos.js'
import { ensureBuilt, openPlace, type Place, until } from '../support/e2e-cli.js'
import { openWitness } from '../support/e2e-history.js'
import { hasServer, leftoversIn, orphansOf, stillThere } from '../support/e2e-leftovers.js'

const firtool = await findFirtool()

describe.skipIf('missing' in firtool)(
  `gauntlet run, killed with kill -9 in the middle${'missing' in firtool ? ` (left out: ${firtool.missing})` : ''}`,
  () => {
    const env: ToolEnv = { CIRCT_BIN: 'folder' in firtool ? firtool.folder : '' }
    let place: Place
    let elsewhere: Place
    let plain: Plain
    /** Copy of the case folder as the killed command left it. */
    let left: string
    let orphans: string[]

    beforeAll(async () => {
      await ensureBuilt()
      place = openPlace('killed-cli')
      elsewhere = openPlace('elsewhere')
      plain = await undisturbed(place, env)
    }, 180_000)
    afterAll(async () => {
      await place?.close()
      await elsewhere?.close()
    })

    it('leaves the server and a folder with what was done', async () => {
      const folder = makeCase(place.root, 'case')
      const first = place.start(runArguments('run', 'case'), env)
      await until('two finished steps in status.json', () => isDone(folder, ['reproduce', 'check_duplicates']))
      await first.kill('SIGKILL')
      expect(isDone(folder, ['minimize'])).toBe(false)
      orphans = await orphansOf(place)
      expect(hasServer(place.home)).toBe(true)
      left = join(elsewhere.root, 'case')
      cpSync(folder, left, { recursive: true })
      cpSync(join(place.root, 'issues.json'), join(elsewhere.root, 'issues.json'))
    }, 180_000)

    it('run again ends what the kill left, attaches, and ends as the undisturbed one', async () => {
      const witness = await openWitness(place.home, 'circt/case')
      const again = place.start(runArguments('run', 'case'), env)
      await again.hears('there already')
      const readyAt = Date.now()
      expect(stillThere(place, orphans)).toEqual([])
      const moved = await witness.movedAfter(again.startedAt)
      await until('the end of the run', () => witness.isClosed())
      const steps = (await witness.stories()).map(({ name, completed }) => `${name} ${completed}`)
      await witness.close()
      expect((await again.ended).exit).toBe(0)
      expect(reportOf(join(place.root, 'case'))).toEqual(plain.report)
      expect(steps.sort()).toEqual(ALL.map((name) => `${name} 1`))
      expect((moved ?? 0) - readyAt).toBeLessThan(10_000)
    }, 180_000)

    it('once over is shown again without running again, and nothing is left behind', async () => {
      const { exit, stdout } = await place.run([...runArguments('run', 'case'), '--json'], env)
      expect(exit).toBe(0)
      const document = JSON.parse(stdout) as { run_id: string; verdict: string }
      const status = JSON.parse(readFileSync(join(place.root, 'case', 'status.json'), 'utf8')) as { run_id: string }
      expect(document).toMatchObject({ verdict: 'report_ready', run_id: status.run_id })
      expect(hasServer(place.home)).toBe(false)
      expect(leftoversIn(place.home)).toEqual([])
    }, 60_000)

    it('of the same key with other input is the person’s mistake', async () => {
      const folder = makeCase(place.root, 'case')
      const source = join(folder, 'source.fir')
      writeFileSync(source, readFileSync(source, 'utf8').replace('UInt<8>(8)', 'UInt<8>(7)').concat('\n'))
      const { exit, stderr } = await place.run(runArguments('run', 'case'), env)
      expect(exit).toBe(2)
      expect(stderr.trim().split('\n')).toEqual([
        expect.stringMatching(/--key: .*"case" belongs to a run with other input/u),
      ])
    }, 60_000)

    it('goes on from its folder on a machine that knows nothing of the run', async () => {
      const running = elsewhere.start(runArguments('run', 'case'), env)
      await running.hears('started')
      const witness = await openWitness(elsewhere.home, 'circt/case')
      await until('the end of the run', () => witness.isClosed())
      const steps = (await witness.stories()).map(({ name }) => name)
      await witness.close()
      const { exit, stderr } = await running.ended
      expect(exit).toBe(0)
      expect(stderr).toContain('taken over from the folder')
      expect(steps.sort()).toEqual(['generateIssue', 'minimizeCase', 'validateCase'])
      expect(reportOf(left)).toEqual(plain.report)
    }, 180_000)
  },
)

const ALL = ['analyzeRootCause', 'checkDuplicates', 'generateIssue', 'minimizeCase', 'reproduceCrash', 'validateCase']

function isDone(folder: string, steps: readonly string[]): boolean {
  const path = join(folder, 'status.json')
  if (!existsSync(path)) return false
  const status = JSON.parse(readFileSync(path, 'utf8')) as { steps: Record<string, { completed: boolean }> }
  return steps.every((step) => status.steps[step]?.completed === true)
}
