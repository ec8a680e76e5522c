import { afterAll, beforeAll, expect, it } from 'vitest'
import { findFirtool } from '../test/support/e2e-case.js'
import {
  chaosSeed,
  expectedReport,
  randomFrom,
  survive,
  type Survival,
  undisturbed,
  type Victim,
} from '../test/support/e2e-chaos.js'
import { ensureBuilt, openPlace, type Place } from '../test/support/e2e-cli.js'

/**
 * kill -9 of the worker at ten random moments of a run of the bundled example, of server and worker together at five, of the CLI at
 * five (GAUNTLET_CHAOS_ROUNDS=10,5,5): does every run end as the undisturbed one, and how soon does it move again?
 */
const VICTIMS: readonly Victim[] = ['worker', 'server and worker', 'CLI']
const ROUNDS = (process.env['GAUNTLET_CHAOS_ROUNDS'] ?? '10,5,5').split(',').map(Number)

const firtool = await findFirtool()
const random = randomFrom(chaosSeed)
let place: Place

beforeAll(async () => {
  await ensureBuilt()
  place = openPlace('chaos')
})
afterAll(() => place?.close())

it(`every run survives kill -9 at random moments (seed ${chaosSeed})`, async () => {
  if ('missing' in firtool) throw new Error(firtool.missing)
  const env = { CIRCT_BIN: firtool.folder }
  const plain = await undisturbed(place, env, 'example')
  console.log(`undisturbed: ${seconds(plain.milliseconds)} s, ${plain.reduction.runs} runs, seed ${chaosSeed}`)
  console.log(
    '| killed | after s | during | ready after s | moves again after s | its reduction went on from | files equal | steps run once |',
  )
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |')
  const moved: number[] = []
  const bad: string[] = []
  for (const [index, victim] of VICTIMS.entries()) {
    const movedBefore = moved.length
    // A moment after the run's end proves nothing: such a round is shown, and done again.
    for (let round = 0, hits = 0; hits < (ROUNDS[index] ?? 0); round += 1) {
      const key = `${victim.replaceAll(' ', '-')}-${round}`
      const survival = await survive(place, env, { key, victim, when: random() * plain.milliseconds, size: 'example' })
      const row = rowOf(survival, expectedReport(plain.report, survival.report))
      console.log(`| ${row.cells.join(' | ')} |`)
      if (survival.movedAfterMs !== null) hits = moved.push(survival.movedAfterMs) - movedBefore
      if (!row.isGood) bad.push(key)
    }
  }
  console.log(`moves again after ${seconds(Math.max(...moved))} s at most, median ${seconds(median(moved))} s`)
  expect(bad).toEqual([])
  expect(Math.max(...moved)).toBeLessThan(10_000)
})

function rowOf(survival: Survival, expected: Record<string, string>) {
  const { victim, killedAfterMs, during, readyAfterMs, movedAfterMs, report, stories, orphans, left, reduction } =
    survival
  const different = Object.keys({ ...expected, ...report }).filter((name) => expected[name] !== report[name])
  // Scheduled a second time counts, too.
  const names = stories.map(({ name }) => name)
  const again = stories
    .filter(({ name, completed }, index) => completed !== 1 || names.indexOf(name) !== index)
    .map(({ name }) => name)
  const cells = [
    victim,
    seconds(killedAfterMs),
    during.join(', ') || '–',
    seconds(readyAfterMs),
    movedAfterMs === null ? 'over' : seconds(movedAfterMs),
    left === null
      ? '–'
      : `${reduction.firstLines} lines (heartbeat: ${left.lines} after ${left.runs} runs), ${reduction.runs} runs more`,
    different.length === 0 ? 'yes' : `no: ${different.join(', ')}`,
    again.length === 0 && orphans.length === 0 ? 'yes' : `no: ${[...again, ...orphans].join(', ')}`,
  ]
  return { cells, isGood: different.length + again.length + orphans.length === 0 }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1)
}
