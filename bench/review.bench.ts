import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ReviewFile } from '../src/contracts/review-part.js'
import type { Finding } from '../src/contracts/review-report.js'
import { isGeneratedFile, isTestFile } from '../src/rules/review/file-kinds.js'
import { filterFindings } from '../src/rules/review/filter-findings.js'
import { subjectOf } from '../src/rules/review/finding-kinds.js'
import { groundIssues } from '../src/rules/review/ground-issues.js'
import { issueId } from '../src/rules/review/issue-id.js'
import { mergeDuplicates } from '../src/rules/review/merge-duplicates.js'
import { openGit } from '../src/tools/git/git.js'
import { collectChange } from '../src/tools/review/collect-change.js'
import { reviewWithAnalysers } from '../src/tools/review/review-with-analysers.js'
import { verifyWithAnalysers } from '../src/tools/review/verify-with-analysers.js'
import { openLinters, type TestLinters } from '../test/support/linter-box.js'
import { type Fix, readFixes, unpacked } from './published-fixes.js'

/**
 * Published fixes reviewed backwards, so that the bug is what is added. A hit is a finding on the fixed lines of the file that was wrong, there before the
 * fix and gone after it; what is there in both is noise, and so is a finding elsewhere. `GAUNTLET_BENCH_LIST=b` for the list that nothing was tuned on.
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

interface Row {
  fix: Fix
  lines: number
  raised: number
  grounded: number
  hits: Finding[]
  /** Kept, but not on the lines that were wrong. */
  others: number
  /** Raised, and there in both versions: taken out by the verifier. */
  both: number
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

async function reviewFix(fix: Fix): Promise<Row> {
  const files = await changedFiles(fix)
  const part = { id: 'p1', files }
  const { answer } = await reviewWithAnalysers(linters.box, 'task_bench', part)
  const { grounded } = groundIssues(answer.issues, files, '/')
  const findings = mergeDuplicates(grounded, subjectOf).map(({ issue }, index): Finding => ({
    ...issue,
    id: issueId(index + 1),
    fingerprint: '',
    evidence: null,
  }))
  const order = { part, findings, refuted: answer.issues.length - grounded.length, isByAnalysers: true }
  const { kept, removed } = filterFindings(findings, await verifyWithAnalysers(linters.box, order))
  const hits = kept.filter(({ relevantFile }) => isFixed(fix, relevantFile))
  return {
    fix,
    lines: files.reduce((sum, file) => sum + changedLines(file), 0),
    raised: answer.issues.length,
    grounded: grounded.length,
    hits,
    others: kept.length - hits.length,
    both: removed.length,
  }
}

/** A wheel lacks the folder of sources. */
function isFixed({ file }: Fix, path: string): boolean {
  return path === file || file.endsWith(`/${path}`) || path.endsWith(`/${file}`)
}

function changedLines({ hunks }: ReviewFile): number {
  return hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith('+')).length, 0)
}

/** The change from the fixed version to the one before it, code only. */
async function changedFiles(fix: Fix): Promise<ReviewFile[]> {
  const repo = mkdtempSync(join(home, 'repo-'))
  const git = (...args: string[]) => execFileSync('git', ['-C', repo, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  git('init', '-q')
  git('config', 'user.email', 'bench@example.org')
  git('config', 'user.name', 'bench')
  cpSync(unpacked(cache, fix, fix.after), repo, { recursive: true })
  git('add', '--all', '--force')
  git('commit', '-qm', 'fixed')
  for (const name of readdirSync(repo)) if (name !== '.git') rmSync(join(repo, name), { recursive: true })
  cpSync(unpacked(cache, fix, fix.before), repo, { recursive: true })
  git('add', '--all', '--force')
  git('commit', '-qm', 'before')
  const opened = await openGit({ home, env: process.env, run: linters.box.run })
  const { sources } = await collectChange({ git: opened, folder: repo, range: 'HEAD~1..HEAD' })
  rmSync(repo, { recursive: true, force: true })
  return sources.files.filter(({ path, text }) => isCode(path, text))
}

function isCode(path: string, text: string | null): boolean {
  return /\.(?:[cm]?[jt]sx?|py)$/.test(path) && !isTestFile(path) && !isGeneratedFile(path, text)
}

function lineOf({ fix, lines, raised, grounded, hits, others, both }: Row): string {
  const name = `${fix.package} ${fix.before}`.padEnd(28)
  const rules = [...new Set(hits.map(({ rule }) => rule))].join(', ')
  const numbers = [lines, raised, grounded, hits.length, others, both].map((number) => String(number).padStart(6))
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
    `noise per 100 changed lines: ${per100(sum(({ others }) => others))} in the report, ${per100(sum(({ both }) => both))} more taken out by the verifier`,
    `grounded ${share.toFixed(1)} % of the findings raised`,
  ].join('\n')
}
