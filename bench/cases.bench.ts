import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { DuplicatesFile, ValidationFile } from '../src/contracts/circt-files.js'
import { CirctResult } from '../src/contracts/circt.js'

/**
 * Every case of a folder through the whole pipeline, as a person would run it, against what its case.json expects:
 * `npm run build && GAUNTLET_CASES=DIR GAUNTLET_BIN=DIR npm run bench -- cases`. GAUNTLET_CASES holds one folder per case (and issues.json, if
 * there is a snapshot to compare with), GAUNTLET_BIN the toolchains as for --circt-bin. GAUNTLET_KEEP=DIR keeps the folders.
 */
const CASES = process.env['GAUNTLET_CASES'] ?? ''
const BIN = process.env['GAUNTLET_BIN'] ?? ''
const KEEP = process.env['GAUNTLET_KEEP'] ?? ''
const COMMAND = fileURLToPath(new URL('../bin/gauntlet', import.meta.url))

let home: string
let work: string

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'gauntlet-bench-home-'))
  work = KEEP === '' ? await mkdtemp(join(tmpdir(), 'gauntlet-bench-')) : KEEP
})

afterAll(async () => {
  await rm(home, { recursive: true, force: true })
  if (KEEP === '') await rm(work, { recursive: true, force: true })
})

it.skipIf(CASES === '' || BIN === '')('every case ends as its case.json expects', async () => {
  const rows: Row[] = []
  console.log(`| ${Object.values(TITLES).join(' | ')} |`)
  console.log(
    `| ${Object.keys(TITLES)
      .map(() => '---')
      .join(' | ')} |`,
  )
  for (const name of await caseNames()) {
    const row = await runCase(name)
    rows.push(row)
    console.log(
      `| ${Object.keys(TITLES)
        .map((key) => row[key as keyof Row])
        .join(' | ')} |`,
    )
  }
  expect(rows.filter(({ isOk }) => isOk !== 'yes')).toEqual([])
})

const TITLES = {
  name: 'case',
  expected: 'expected',
  verdict: 'verdict',
  isOk: 'ok',
  lines: 'lines',
  runs: 'oracle runs',
  seconds: 'seconds',
  pass: 'pass found',
  related: 'related issues (score)',
} as const
type Row = Record<keyof typeof TITLES, string>

const CaseJson = z.object({ expected_result: z.string(), duplicate_of: z.array(z.int()).nullable().default(null) })
type CaseJson = z.infer<typeof CaseJson>

async function caseNames(): Promise<string[]> {
  const names = await readdir(CASES)
  return names.filter((name) => existsSync(join(CASES, name, 'case.json'))).sort()
}

async function runCase(name: string): Promise<Row> {
  const expected = CaseJson.parse(JSON.parse(await readFile(join(CASES, name, 'case.json'), 'utf8')))
  const folder = join(work, name)
  await rm(folder, { recursive: true, force: true })
  await cp(join(CASES, name), folder, { recursive: true, filter: (path) => !path.endsWith('case.json') })
  for (const file of [folder, ...(await readdir(folder)).map((each) => join(folder, each))]) await chmod(file, 0o755)
  const startedAt = performance.now()
  const document = await gauntlet(folder)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
  return { name, seconds, ...(await judge(folder, document, expected)) }
}

const Document = z.object({ verdict: z.string(), result: CirctResult })
type Document = z.infer<typeof Document>

async function gauntlet(folder: string): Promise<Document> {
  const issues = join(CASES, 'issues.json')
  const options = ['--circt-bin', BIN, ...(existsSync(issues) ? ['--issues', issues] : []), '--json']
  const order = [COMMAND, 'run', 'circt', folder, ...options]
  const env = { ...process.env, GAUNTLET_HOME: home }
  // An exit code other than 0 is a verdict, too: the document tells.
  const run = promisify(execFile)(process.execPath, order, { env, maxBuffer: 64e6 })
  const { stdout } = await run.catch((error: unknown) => z.object({ stdout: z.string() }).parse(error))
  const document = Document.safeParse(JSON.parse(stdout))
  return document.success ? document.data : { verdict: stdout.slice(0, 200), result: { crash_id: '', steps: {} } }
}

async function judge(folder: string, document: Document, expected: CaseJson): Promise<Omit<Row, 'name' | 'seconds'>> {
  const duplicates = await fileOf(DuplicatesFile, join(folder, 'duplicates.json'))
  const validation = await fileOf(ValidationFile, join(folder, 'validation.json'))
  const top = duplicates?.results.issues.slice(0, 3) ?? []
  const classification = validation?.classification.result ?? 'not validated'
  const { verdict, result } = document
  const isOk = isAsExpected(expected, { verdict, classification, related: top.map((issue) => issue.number) })
  return {
    expected: [expected.expected_result, ...(expected.duplicate_of ?? []).map((issue) => `#${issue}`)].join(' '),
    verdict: verdict === 'not_a_bug' ? `${verdict} (${classification})` : verdict,
    isOk: isOk ? 'yes' : 'NO',
    ...reductionOf(result.steps.minimize),
    pass: result.steps.root_cause_analysis?.failing_pass ?? 'none',
    related: top.map((issue) => `#${issue.number} (${issue.similarity_score})`).join(', '),
  }
}

function reductionOf(minimize: CirctResult['steps']['minimize']): Pick<Row, 'lines' | 'runs'> {
  if (minimize === undefined) return { lines: '', runs: '' }
  return { lines: `${minimize.original_lines} → ${minimize.minimized_lines}`, runs: String(minimize.oracle_runs) }
}

interface Ending {
  verdict: string
  classification: string
  related: readonly number[]
}

/** What an expected result means for a run's verdict. */
function isAsExpected(
  { expected_result, duplicate_of }: CaseJson,
  { verdict, classification, related }: Ending,
): boolean {
  if (expected_result === 'existing_issue') {
    const isRelated = related.some((issue) => duplicate_of?.includes(issue) === true)
    return verdict === 'duplicate' || (verdict === 'report_ready' && isRelated)
  }
  if (expected_result === 'report') return verdict === 'report_ready'
  return verdict === 'not_a_bug' && classification === expected_result
}

async function fileOf<T extends z.ZodType>(contract: T, path: string): Promise<z.infer<T> | null> {
  return existsSync(path) ? contract.parse(JSON.parse(await readFile(path, 'utf8'))) : null
}
