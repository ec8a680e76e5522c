import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Finding } from '../src/contracts/review-report.js'
import { openLinters, type TestLinters } from '../test/support/linter-box.js'
import { type Fix, readFixes, readReleases, type Release, unpacked } from './published-fixes.js'
import { type ReviewedChange, reviewChange } from './review-change.js'

/**
 * Published fixes reviewed backwards, so that the bug is what is added. A hit is a finding on the fixed lines of the file that was wrong, there before the
 * fix and gone after it; what is there in both is noise, and so is a finding elsewhere. `GAUNTLET_BENCH_LIST=b` for the list that nothing was tuned on.
 * Then ordinary releases forwards: what is said of them is printed whole, to be judged by reading.
 */
const LIST = process.env['GAUNTLET_BENCH_LIST'] === 'b' ? 'b' : 'a'

const cache = fileURLToPath(new URL('../node_modules/.cache/gauntlet-bench', import.meta.url))
let linters: TestLinters
let home = ''

beforeAll(async () => {
  mkdirSync(cache, { recursive: true })
  home = mkdtempSync(join(tmpdir(), 'gauntlet-bench-'))
  linters = await openLinters({ PATH: process.env['PATH'] ?? '' })
})
afterAll(() => {
  linters.remove()
  rmSync(home, { recursive: true, force: true })
})

interface Row extends ReviewedChange {
  fix: Fix
  hits: Finding[]
  /** Kept, but not in the file that was wrong. */
  others: Finding[]
}

it(`reviews the published fixes of list ${LIST} backwards`, async () => {
  const rows: Row[] = []
  for (const fix of readFixes(LIST)) {
    const row = await reviewFix(fix)
    rows.push(row)
    console.log(lineOf(row))
  }
  console.log(totals(rows))
  expect(rows).toHaveLength(20)
})

it('reviews ordinary releases forwards', async () => {
  const sum = { lines: 0, kept: 0 }
  for (const release of readReleases()) {
    const { lines, kept } = await reviewRelease(release)
    sum.lines += lines
    sum.kept += kept.length
    console.log([release.package, release.before, release.after, lines, kept.length].join('  '))
    for (const { rule, severity, relevantFile, startLine, existingCode } of kept) {
      const code = existingCode.trim().replaceAll(/\s+/g, ' ').slice(0, 100)
      console.log(`    ${severity} ${rule} ${relevantFile}:${startLine}  ${code}`)
    }
  }
  console.log(
    `${sum.kept} findings in ${sum.lines} changed lines, ${((100 * sum.kept) / sum.lines).toFixed(2)} per 100`,
  )
})

async function reviewFix(fix: Fix): Promise<Row> {
  const folders = { from: unpacked(cache, fix, fix.after), to: unpacked(cache, fix, fix.before) }
  const reviewed = await reviewChange(linters.box, home, folders)
  const hits = reviewed.kept.filter(({ relevantFile }) => isFixed(fix, relevantFile))
  return { ...reviewed, fix, hits, others: reviewed.kept.filter((finding) => !hits.includes(finding)) }
}

async function reviewRelease(release: Release): Promise<ReviewedChange> {
  const folders = { from: unpacked(cache, release, release.before), to: unpacked(cache, release, release.after) }
  return await reviewChange(linters.box, home, folders)
}

/** A wheel lacks the folder of sources. */
function isFixed({ file }: Fix, path: string): boolean {
  return path === file || file.endsWith(`/${path}`) || path.endsWith(`/${file}`)
}

function lineOf({ fix, lines, raised, grounded, hits, others, both }: Row): string {
  const name = `${fix.package} ${fix.before}`.padEnd(28)
  const rules = [...new Set(hits.map(({ rule }) => rule))].join(', ')
  const numbers = [lines, raised, grounded, hits.length, others.length, both].map((number) =>
    String(number).padStart(6),
  )
  return `${hits.length > 0 ? 'HIT ' : '    '} ${name}${numbers.join('')}  ${rules}`
}

function totals(rows: readonly Row[]): string {
  const sum = (pick: (row: Row) => number) => rows.reduce((total, row) => total + pick(row), 0)
  const lines = sum(({ lines: count }) => count)
  const per100 = (count: number) => ((100 * count) / lines).toFixed(2)
  const found = rows.filter(({ hits }) => hits.length > 0).length
  const share =
    (100 * sum(({ grounded }) => grounded)) /
    Math.max(
      1,
      sum(({ raised }) => raised),
    )
  return [
    'columns: changed lines, raised, grounded, hits, kept elsewhere, there in both versions (taken out)',
    `recall ${found} of ${rows.length}; of ${lines} changed lines`,
    `per 100 changed lines: ${per100(sum(({ others }) => others.length))} kept in other files of the fix, ${per100(sum(({ both }) => both))} in both versions and taken out`,
    `grounded ${share.toFixed(1)} % of the findings raised`,
  ].join('\n')
}
