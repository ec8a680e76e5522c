import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ReviewFile } from '../src/contracts/review-part.js'
import type { Finding } from '../src/contracts/review-report.js'
import { isGeneratedFile, isTestFile } from '../src/rules/review/file-kinds.js'
import { filterFindings } from '../src/rules/review/filter-findings.js'
import { subjectOf } from '../src/rules/review/finding-kinds.js'
import { groundIssues } from '../src/rules/review/ground-issues.js'
import { issueId } from '../src/rules/review/issue-id.js'
import { mergeDuplicates } from '../src/rules/review/merge-duplicates.js'
import { openGit } from '../src/tools/git/git.js'
import type { LinterBox } from '../src/tools/linters/linter-box.js'
import { collectChange } from '../src/tools/review/collect-change.js'
import { reviewWithAnalysers } from '../src/tools/review/review-with-analysers.js'
import { verifyWithAnalysers } from '../src/tools/review/verify-with-analysers.js'

export interface ReviewedChange {
  /** Changed lines of code, tests and generated files aside. */
  lines: number
  raised: number
  grounded: number
  kept: Finding[]
  /** There in both versions: taken out by the verifier. */
  both: number
}

/** Reviews the change from one folder's files to another's without a model, as a commit on a commit in a repository below `home`. */
export async function reviewChange(
  box: LinterBox,
  home: string,
  { from, to }: { from: string; to: string },
): Promise<ReviewedChange> {
  const files = await changedFiles(box, home, { from, to })
  const part = { id: 'p1', files }
  const { answer } = await reviewWithAnalysers(box, 'task_bench', part)
  const { grounded } = groundIssues(answer.issues, files, '/')
  const findings = mergeDuplicates(grounded, subjectOf).map(({ issue }, index): Finding => ({
    ...issue,
    id: issueId(index + 1),
    fingerprint: '',
    evidence: null,
  }))
  const order = { part, findings, refuted: answer.issues.length - grounded.length, isByAnalysers: true }
  const { kept, removed } = filterFindings(findings, await verifyWithAnalysers(box, order))
  return {
    lines: files.reduce((sum, file) => sum + changedLines(file), 0),
    raised: answer.issues.length,
    grounded: grounded.length,
    kept,
    both: removed.length,
  }
}

async function changedFiles(
  box: LinterBox,
  home: string,
  { from, to }: { from: string; to: string },
): Promise<ReviewFile[]> {
  const repo = mkdtempSync(join(home, 'repo-'))
  const git = (...args: string[]) => execFileSync('git', ['-C', repo, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  git('init', '-q')
  git('config', 'user.email', 'bench@example.org')
  git('config', 'user.name', 'bench')
  cpSync(from, repo, { recursive: true })
  git('add', '--all', '--force')
  git('commit', '-qm', 'from')
  for (const name of readdirSync(repo)) if (name !== '.git') rmSync(join(repo, name), { recursive: true })
  cpSync(to, repo, { recursive: true })
  git('add', '--all', '--force')
  git('commit', '-qm', 'to')
  const opened = await openGit({ home, env: process.env, run: box.run })
  const { sources } = await collectChange({ git: opened, folder: repo, range: 'HEAD~1..HEAD' })
  rmSync(repo, { recursive: true, force: true })
  return sources.files.filter(({ path, text }) => isCode(path, text))
}

function isCode(path: string, text: string | null): boolean {
  return /\.(?:[cm]?[jt]sx?|py)$/.test(path) && !isTestFile(path) && !isGeneratedFile(path, text)
}

function changedLines({ hunks }: ReviewFile): number {
  return hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith('+')).length, 0)
}
