import { mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { QualityReport } from '../src/contracts/quality.js'
import { removeTree } from '../src/tools/folder/remove-tree.js'
import { aGit } from '../test/support/git-repository.js'
import { type Judgement, judgePackage } from './projects/judge-package.js'
import type { OwnReport } from './projects/own-report.js'
import { readPackages } from './projects/public-package.js'

/**
 * Five public packages of bench/projects/packages.json, a function broken in each: what their own runners count beside what the gates
 * count, and what RED and GREEN say. Needs npm and pip with their registries. GAUNTLET_PROJECTS=minimist,itsdangerous takes some of them;
 * GAUNTLET_PROJECTS_SECONDS is the limit of a command, 60 without it, and five times what the untouched suite took where that is more.
 */
const ONLY = (process.env['GAUNTLET_PROJECTS'] ?? '').split(',').filter((name) => name !== '')
const SECONDS = Number(process.env['GAUNTLET_PROJECTS_SECONDS'] ?? 60)

const work = await realpath(await mkdtemp(join(tmpdir(), 'gauntlet-projects-')))
afterAll(() => removeTree(work))

it('the gates count what the packages’ own runners count, and RED and GREEN are told apart', async () => {
  const git = await aGit(join(work, 'home'))
  const packages = (await readPackages()).filter(({ name }) => ONLY.length === 0 || ONLY.includes(name))
  const judged: Judgement[] = []
  for (const entry of packages) {
    const judgement = await judgePackage(entry, { git, work, seconds: SECONDS })
    judged.push(judgement)
    for (const line of sentencesOf(judgement)) console.log(line)
  }
  table(['package', 'runner', 'commit', 'own report', 'ours', 'same', 'outcome'], judged.flatMap(countRows))
  table(['package', 'broken', ...Object.keys(EXPECTED), 'as expected', 'limit', 'all of it'], judged.map(verdictRow))
  table(['package', 'commit', 'overall', 'gates', 'reasons'], judged.flatMap(gateRows))
  expect(judged).toHaveLength(packages.length)
})

function table(titles: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  console.log(['', line(titles), line(titles.map(() => '---')), ...rows.map(line), ''].join('\n'))
}

const COMMITS = ['untouched', 'broken'] as const

function countRows({ entry, ...at }: Judgement): string[][] {
  return COMMITS.map((commit) => {
    const { own, gates } = at[commit]
    const ours = 'trouble' in gates ? gates : gates.test
    const isSame = countsOf(own) === countsOf(ours) ? 'yes' : 'NO'
    const outcome = 'trouble' in ours ? ours.trouble : `${ours.outcome}: ${ours.details}`
    return [`${entry.name} ${entry.version}`, entry.runner, commit, countsOf(own), countsOf(ours), isSame, outcome]
  })
}

function countsOf(counted: { trouble: string } | OwnReport | QualityReport['test']): string {
  if ('trouble' in counted) return counted.trouble
  const stop = 'isStopped' in counted && counted.isStopped ? ', then did not end' : ''
  return `${counted.passed} passed, ${counted.failed} failed, ${counted.skipped} skipped${stop}`
}

/** Of the four commits of a task, in their order. */
const EXPECTED = { red: 'red', tried: 'still_red', green: 'green', late: 'already_passing' } as const

function verdictRow({ entry, verdicts, limitSeconds, seconds }: Judgement): string[] {
  const said = Object.keys(EXPECTED).map((key) => {
    const verdict = verdicts[key as keyof typeof EXPECTED]
    return 'trouble' in verdict ? verdict.trouble : verdict.outcome
  })
  const isExpected = Object.values(EXPECTED).every((word, at) => word === said[at])
  const times = [limitSeconds, seconds].map((each) => `${Math.round(each)} s`)
  return [entry.name, `${entry.function} (${entry.edit.file})`, ...said, isExpected ? 'yes' : 'NO', ...times]
}

function gateRows({ entry, ...at }: Judgement): string[][] {
  return COMMITS.map((commit) => {
    const { gates } = at[commit]
    if ('trouble' in gates) return [entry.name, commit, gates.trouble, '', '']
    const names = ['build', 'test', 'coverage', 'lint', 'security', 'e2e', 'acceptance'] as const
    const each = names.map((name) => `${name} ${gates[name].status}`).join(', ')
    return [entry.name, commit, gates.overallStatus, each, gates.reasons.join('; ').slice(0, 400)]
  })
}

/** All there is to one package, as soon as it is there: the tables come when the last of them is done. */
function sentencesOf(judgement: Judgement): string[] {
  const { name } = judgement.entry
  const verdicts = Object.entries(judgement.verdicts).map(
    ([key, verdict]) => `${name}, ${key}: ${'trouble' in verdict ? verdict.trouble : verdict.sentence}`,
  )
  return [...[...countRows(judgement), ...gateRows(judgement)].map((row) => row.join(', ')), ...verdicts]
}
