import { cp, mkdir, readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Failure } from '../contracts/failures.js'
import { EXIT } from '../rules/cli-exit-codes.js'
import { plainText } from '../rules/cli-progress.js'
import { systemReason } from '../tools/case-folder/system-reason.js'
import { needsNoAgreement } from './agree-on-sandbox.js'
import { readCaseRequest } from './case-request.js'
import { circtPlaces, planCirct } from './circt-run.js'
import { mistake } from './cli-error.js'
import { type CommandInput, type Context, type Output, textOption } from './command.js'
import { PACKAGE_ROOT } from './package-version.js'
import { runPipeline } from './run-pipeline.js'
import { shownPath } from './run-places.js'

/** A bundled crash of our own through the whole circt pipeline; fetches what it needs. */
export async function demoCirct(context: Context, input: CommandInput): Promise<Output> {
  const folder = await copyExample(context, input)
  context.terminal.note(`the bundled crash is in ${shownPath(context, folder)}`)
  const request = await readCaseRequest(context, await demoInput(input, folder))
  const places = await circtPlaces(context, input)
  const allowUnsandboxed = await needsNoAgreement(context)
  const output = await runPipeline(context, places, (store) => planCirct(request, allowUnsandboxed, store))
  return await withReport(context, output, folder)
}

/** What `run circt` would have been given; the search for duplicates stays on this machine when the example brings a corpus. */
async function demoInput({ options }: CommandInput, folder: string): Promise<CommandInput> {
  const hasIssues = (await namesIn(folder)).includes(ISSUES_FILE)
  const issues = hasIssues ? { issues: join(folder, ISSUES_FILE) } : {}
  return { args: { CASE_DIR: folder }, options: { ...options, ...issues } }
}

const ISSUES_FILE = 'issues.json'

/** Files that are there already stay: the demo may be run again, and attaches to what it did before. */
async function copyExample(context: Context, input: CommandInput): Promise<string> {
  const given = textOption(input, 'dir') ?? './gauntlet-demo'
  const folder = resolve(context.cwd, given)
  const example = await findExample()
  try {
    await mkdir(folder, { recursive: true })
    for (const name of await readdir(example)) {
      if (isCaseFile(name)) await cp(join(example, name), join(folder, name), { force: false })
    }
    return folder
  } catch (error) {
    throw mistake('--dir', 'a folder that can be written', `${JSON.stringify(given)}: ${systemReason(error).reason}`)
  }
}

function isCaseFile(name: string): boolean {
  return /^source\.(?:sv|fir|mlir)$/.test(name) || ['error.txt', 'command.txt', ISSUES_FILE].includes(name)
}

/** The first example of the circt pipeline that the package brings. */
async function findExample(): Promise<string> {
  const folder = fileURLToPath(new URL('examples/circt/', PACKAGE_ROOT))
  for (const name of (await namesIn(folder)).sort((a, b) => a.localeCompare(b))) {
    const files = await namesIn(join(folder, name))
    if (files.includes('error.txt') && files.some((file) => file.startsWith('source.'))) return join(folder, name)
  }
  throw new Failure('Tool.Missing', 'the bundled example examples/circt is missing from this installation')
}

/** Nothing where there is no such folder. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    systemReason(error)
    return []
  }
}

async function withReport(context: Context, output: Output, folder: string): Promise<Output> {
  if (output.exit !== EXIT.good) return output
  const path = join(folder, 'issue.md')
  const lines = (await readFile(path, 'utf8')).split('\n')
  const head = lines.slice(0, FIRST_LINES).map((line) => `  ${line}`)
  const more = lines.length > FIRST_LINES ? ['  …'] : []
  const text = [output.text, '', `the report, ${shownPath(context, path)}:`, '', ...head, ...more].join('\n')
  return { ...output, text: plainText(text) }
}

const FIRST_LINES = 20
