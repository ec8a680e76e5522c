import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../../contracts/failures.js'
import { ChangeId, type OpenSpecTask } from '../../contracts/openspec.js'
import { parseContract } from '../../contracts/parse.js'
import { fileComplaint } from '../../rules/openspec/file-complaint.js'
import { markdownLines } from '../../rules/openspec/markdown-lines.js'
import { firstOpenTask, taskLines, taskNamed } from '../../rules/openspec/tasks.js'
import { readBounded } from '../folder/read-bounded.js'
import { codeOf } from '../process/error-code.js'
import { decodeText } from './decode-text.js'

/** A change as it lies in the user's repository. */
export interface ReadChange {
  change: string
  /** From the repository's root: 'openspec/changes/add-login'. */
  folder: string
  /** All documents that are there, by their path from the root. */
  documents: { path: string; text: string }[]
  /** The task the run is about: the one named, else the first that is open; null when the change has none. */
  task: OpenSpecTask | null
}

/**
 * Reads `openspec/changes/ID`. Throws `Failure('Contract.Violated')` or `Failure('Case.Incomplete')` with one line: an id that is no name, a change that is
 * not there, a file nothing could be written into without spoiling it, a task that is unknown or done.
 * @param wanted number or text of a task; undefined for the first that is open
 */
export async function readChange(root: string, id: string, wanted: string | undefined): Promise<ReadChange> {
  const change = parseContract(ChangeId, id, '--openspec')
  const folder = `openspec/changes/${change}`
  const names = [...(await markdownIn(root, folder)), ...(await specsIn(root, folder))]
  if (names.length === 0)
    throw new Failure('Case.Incomplete', `--openspec: expected Markdown files in ${folder}, found none`)
  const documents: ReadChange['documents'] = []
  for (const path of names.slice(0, MAX_DOCUMENTS)) documents.push({ path, text: await textOf(root, path) })
  const tasks = documents.find(({ path }) => path === `${folder}/tasks.md`)?.text ?? null
  return { change, folder, documents, task: tasks === null ? noTask(wanted, folder) : taskOf(tasks, wanted, folder) }
}

const MAX_DOCUMENTS = 40
const MAX_BYTES = 2_000_000

/** Those OpenSpec names first, then what else lies there. */
async function markdownIn(root: string, folder: string): Promise<string[]> {
  const found = (await entriesOf(join(root, folder))).filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
  const known = ['proposal.md', 'design.md', 'tasks.md', 'context.md']
  const rank = (name: string) => (known.includes(name) ? known.indexOf(name) : known.length)
  const names = found.map(({ name }) => name).sort((left, right) => rank(left) - rank(right) || (left < right ? -1 : 1))
  return names.map((name) => `${folder}/${name}`)
}

/** `specs/CAPABILITY/spec.md`. */
async function specsIn(root: string, folder: string): Promise<string[]> {
  const capabilities = (await entriesOf(join(root, folder, 'specs'))).filter((entry) => entry.isDirectory())
  const paths: string[] = []
  for (const { name } of capabilities.sort((left, right) => (left.name < right.name ? -1 : 1))) {
    const files = await entriesOf(join(root, folder, 'specs', name))
    if (files.some((file) => file.isFile() && file.name === 'spec.md')) paths.push(`${folder}/specs/${name}/spec.md`)
  }
  return paths
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return []
    throw error
  }
}

async function textOf(root: string, path: string): Promise<string> {
  const text = decodeText(await readBounded(join(root, path), MAX_BYTES, path))
  if (text === null) throw new Failure('Contract.Violated', `${path}: expected UTF-8 text, got bytes that are none`)
  const isOurs = path.endsWith('/tasks.md') || path.endsWith('/context.md')
  const complaint = isOurs ? fileComplaint(markdownLines(text)) : null
  if (complaint !== null) throw new Failure('Contract.Violated', `${path}: ${complaint}`)
  return text
}

function noTask(wanted: string | undefined, folder: string): null {
  if (wanted === undefined) return null
  throw new Failure('Case.Incomplete', `--task: expected a tasks.md in ${folder}, found none`)
}

function taskOf(tasks: string, wanted: string | undefined, folder: string): OpenSpecTask | null {
  if (taskLines(tasks).length === 0)
    throw new Failure(
      'Contract.Violated',
      `${folder}/tasks.md: expected tasks such as "- [ ] 1.1 Add login", found none`,
    )
  if (wanted === undefined) return firstOpenTask(tasks)
  const task = taskNamed(tasks, wanted)
  if (task !== null) return task
  throw new Failure(
    'Contract.Violated',
    `--task: expected number or text of one task in ${folder}/tasks.md, got ${JSON.stringify(wanted.slice(0, 80))}`,
  )
}
