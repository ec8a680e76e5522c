import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { expect, it } from 'vitest'
import type { ReviewFile, ReviewPart } from '../src/contracts/review-part.js'
import { type Finding, ReviewReport } from '../src/contracts/review-report.js'
import { parseDiff } from '../src/rules/review/diff.js'
import { createRunner } from '../src/tools/process/runner.js'
import { groundPart } from '../src/tools/review/ground-part.js'
import { mergeReview } from '../src/tools/review/merge-review.js'
import { reviewWithAnalysers } from '../src/tools/review/review-with-analysers.js'
import { settlePart } from '../src/tools/review/settle-part.js'
import { splitSources } from '../src/tools/review/split-sources.js'
import { verifyWithAnalysers } from '../src/tools/review/verify-with-analysers.js'
import { openLinters } from '../test/support/linter-box.js'
import { memoryStore } from '../test/support/memory-store.js'

/**
 * Reviews without the server: files of 150 lines each, every line added, one in fifty with something to find. First the engine's own part (splitting,
 * grounding, merging), then the whole with analysers and verifier: `GAUNTLET_BENCH_LINES` chooses the sizes.
 */
const SIZES = (process.env['GAUNTLET_BENCH_LINES'] ?? '100000,200000,300000').split(',').map(Number)
const LINES_PER_FILE = 150
const WARM_UP_LINES = 3_000

it('the engine grows with the size of the change', { timeout: 600_000 }, async () => {
  await measure(null)
})

it('a review by analysers grows with the size of the change', { timeout: 3_600_000 }, async () => {
  const linters = await openLinters()
  try {
    // The system does not tell what processes in a sandbox cost once they have ended.
    await measure({ ...linters.box, run: createRunner({ sandbox: 'none' }) })
  } finally {
    linters.remove()
  }
})

/** Null: issues and verification are made up, and cost nothing. */
type Box = Parameters<typeof reviewWithAnalysers>[0] | null

async function measure(box: Box): Promise<void> {
  // What is loaded once is no part of the growth.
  await reviewed(box, change(WARM_UP_LINES))
  const measured: Measured[] = []
  for (const lines of SIZES) {
    const files = change(lines)
    const started = { wall: performance.now(), cpu: cpuSeconds() }
    const report = await reviewed(box, files)
    const seconds = (performance.now() - started.wall) / 1000
    const cpu = cpuSeconds() - started.cpu
    measured.push({ lines, seconds, cpu })
    const { counts, coverage } = report.review_results
    const memory = Math.round(process.memoryUsage().rss / 1024 ** 2)
    console.log(
      `${lines} lines, ${coverage.files} files, ${coverage.parts} parts: ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of processors, ${counts.kept} findings of ${counts.raised}, worker ${memory} MB, load ${loadavg()[0]?.toFixed(1)}`,
    )
  }
  const growths = measured.map((each) => growthFrom(measured[0] ?? each, each))
  console.log(growths.map(({ words }) => words).join('\n'))
  expect(Math.max(...growths.map(({ growth }) => growth))).toBeLessThan(1.6)
}

interface Measured {
  lines: number
  seconds: number
  /** Of this process and those it has waited for: what else runs on the machine does not count. */
  cpu: number
}

/** 1 where the processors' time has grown as the lines have. */
function growthFrom(first: Measured, { lines, seconds, cpu }: Measured) {
  const times = (a: number, b: number) => `${(a / b).toFixed(2)} times`
  const growth = cpu / first.cpu / (lines / first.lines)
  const words = `${times(lines, first.lines)} the lines: ${times(seconds, first.seconds)} the time, ${times(cpu, first.cpu)} the processors' time, ratio ${growth.toFixed(2)}, ${((1000 * cpu) / lines).toFixed(3)} s of processors per 1000 lines`
  return { growth, words }
}

/** Linux tells of the processes that were waited for; elsewhere only this one is counted. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  const own = (user + system) / 1e6
  if (process.platform !== 'linux') return own
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return own + (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
}

/** USER_HZ, the same on every architecture of today. */
const TICKS_PER_SECOND = 100

async function reviewed(box: Box, files: readonly ReviewFile[]): Promise<ReviewReport> {
  const store = memoryStore()
  const put = async (value: unknown) => await store.put('x', JSON.stringify(value), 'application/json')
  const sources = await put({ review_type: 'diff', files, left_out: [], suppressions: [] })
  const split = await splitSources({ run_id: 'r', sources, part_tokens: 400_000 }, { store })
  const settled: string[] = []
  for (const [index, sha256] of split.parts.entries()) {
    settled.push(await onePart(box, { store, sha256, sources: sources.sha256 }))
    console.log(`  part ${index + 1} of ${split.parts.length}`)
  }
  const at = '2026-01-02T03:04:05.000Z'
  const task_id = 'task_review_scale'
  const content = await put({ task_id, review_type: 'diff', created_at: at, content: {} })
  const order = {
    run_id: 'r',
    task_id,
    content,
    coverage: split.coverage,
    settled,
    reviewer: 'builtin',
    retries: [],
    at,
  }
  const merged = await mergeReview(order, { store })
  return ReviewReport.parse(JSON.parse((await store.get(merged.report)).toString('utf8')))
}

async function onePart(
  box: Box,
  { store, sha256, sources }: { store: ReturnType<typeof memoryStore>; sha256: string; sources: string },
): Promise<string> {
  const part = JSON.parse((await store.get({ sha256, name: 'part' })).toString('utf8')) as ReviewPart
  const { answer, reviewers } = box === null ? madeUp(part) : await reviewWithAnalysers(box, 'task_review_scale', part)
  const put = async (value: unknown) => (await store.put('x', JSON.stringify(value), 'application/json')).sha256
  const reply = await put({ ...answer, reviewers })
  const order = { run_id: 'r', round: 1, working_directory: '/', part: sha256, answer: reply, sources }
  const { grounded } = await groundPart(order, { store })
  const { findings } = JSON.parse((await store.get({ sha256: grounded, name: 'g' })).toString('utf8')) as {
    findings: Finding[]
  }
  const toVerify = { part, findings, refuted: 0, isByAnalysers: true }
  const verification_result = box === null ? allCorrect(findings) : await verifyWithAnalysers(box, toVerify)
  const verification = await put({ task_id: 't', verification_result })
  return (
    await settlePart({ run_id: 'r', part: sha256, grounded, verification, missing: null, retries: [] }, { store })
  ).settled
}

function change(lines: number): ReviewFile[] {
  return Array.from({ length: lines / LINES_PER_FILE }, (_, file) => {
    const text = Array.from({ length: LINES_PER_FILE }, (__, line) => lineOf(file, line)).join('')
    const body = text
      .split('\n')
      .slice(0, -1)
      .map((each) => `+${each}\n`)
      .join('')
    const diff = `--- /dev/null\n+++ b/src/f${file}.js\n@@ -0,0 +1,${LINES_PER_FILE} @@\n${body}`
    const [parsed] = parseDiff(diff).files
    if (parsed === undefined) throw new Error('the change cannot be read')
    return { path: parsed.path, old_path: null, status: 'added', hunks: parsed.hunks, text, before: null }
  })
}

function lineOf(file: number, line: number): string {
  if (line % 50 === 7) return `export const run${line} = (text) => eval(text + ${file})\n`
  return `export const value${line} = compute(${file}, ${line}, 'text ${file * LINES_PER_FILE + line}')\n`
}

function madeUp({ files }: ReviewPart) {
  const issues = files.flatMap(({ path, text }) =>
    (text ?? '').split('\n').flatMap((line, index) => (line.includes('eval(') ? [issueAt(path, line, index + 1)] : [])),
  )
  return { answer: { task_id: 'task_review_scale', issues: issues.slice(0, 2_000) }, reviewers: [] }
}

function issueAt(relevantFile: string, existingCode: string, suggestionLine: number) {
  const said = { suggestionContent: 'eval', improvedCode: 'parse', label: 'Security', severity: 'High' }
  return { relevantFile, existingCode, suggestionLine, ...said }
}

function allCorrect(findings: readonly Finding[]) {
  const said = { accuracy_status: 'CORRECT', evidence: 'made up', deletion_required: false }
  const quality_assessment = { overall_score: 80, quality_level: 'GOOD' }
  return { accuracy_check: findings.map(({ id }) => ({ issue_id: id, ...said })), quality_assessment }
}
