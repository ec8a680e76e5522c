import { mkdir, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { type Candidate, CandidateName } from '../contracts/eval.js'
import { parseContract, parseJson } from '../contracts/parse.js'
import type { ArtifactStore } from '../contracts/store.js'
import { readBounded } from '../tools/folder/read-bounded.js'
import { withScratch } from '../tools/folder/scratch.js'
import { openGit } from '../tools/git/git.js'
import { branchFolder } from '../tools/judges/branch-folder.js'
import { uploadFolder } from '../tools/judges/upload-folder.js'
import { createRunner } from '../tools/process/runner.js'
import { detectSandbox } from '../tools/process/sandbox.js'
import { mistake } from './cli-error.js'
import type { Context } from './command.js'
import { onOwnDisk } from './open-store.js'

/** FILE.json: who stands, each by one of four ways. Paths are relative to the file. */
const CandidateEntry = z
  .strictObject({
    name: CandidateName,
    text: z.string().min(1).optional(),
    file: z.string().min(1).optional(),
    folder: z.string().min(1).optional(),
    branch: z.string().min(1).optional(),
    /** Of `branch`; default: the file's own folder. */
    repo: z.string().min(1).optional(),
  })
  .refine(
    ({ text, file, folder, branch }) => [text, file, folder, branch].filter((each) => each !== undefined).length === 1,
    {
      error: 'expected exactly one of text, file, folder, branch',
    },
  )
type CandidateEntry = z.infer<typeof CandidateEntry>

const CandidateFile = z.array(CandidateEntry, { error: 'expected a list of candidates' })

/**
 * Puts the candidates of `--candidates` into the store: of a folder everything in it (a file is a text, a folder is a folder), or what a
 * JSON file lists. Throws a mistake of the person.
 */
export async function uploadCandidates(context: Context, given: string, store: ArtifactStore): Promise<Candidate[]> {
  const path = resolve(context.cwd, given)
  const stats = await stat(path).catch(() => null)
  if (stats === null) throw mistake('--candidates', 'a folder of candidates or a JSON file', JSON.stringify(given))
  const entries = stats.isDirectory() ? await entriesIn(path) : await entriesOf(path)
  const root = stats.isDirectory() ? path : dirname(path)
  const candidates: Candidate[] = []
  for (const entry of entries) candidates.push(await onOwnDisk(() => upload(context, { entry, root, store })))
  return candidates
}

async function entriesIn(folder: string): Promise<CandidateEntry[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const shown = entries.filter(({ name }) => !name.startsWith('.')).sort((a, b) => (a.name < b.name ? -1 : 1))
  return shown.flatMap((entry): CandidateEntry[] => {
    const name = parseContract(CandidateName, entry.name, '--candidates')
    if (entry.isDirectory()) return [{ name, folder: entry.name }]
    return entry.isFile() ? [{ name, file: entry.name }] : []
  })
}

async function entriesOf(file: string): Promise<CandidateEntry[]> {
  const label = basename(file)
  const text = (await readBounded(file, MAX_BYTES, `--candidates ${label}`)).toString('utf8')
  return parseJson(CandidateFile, text, label)
}

const MAX_BYTES = 16 * 1024 ** 2

interface Upload {
  entry: CandidateEntry
  root: string
  store: ArtifactStore
}

async function upload(context: Context, { entry, root, store }: Upload): Promise<Candidate> {
  const { name, text, file, folder, branch } = entry
  const label = `candidate ${JSON.stringify(name)}`
  if (branch !== undefined) return await uploadBranch(context, { entry, root, store })
  if (folder !== undefined) {
    const stats = await stat(resolve(root, folder)).catch(() => null)
    if (stats === null || !stats.isDirectory()) throw mistake(label, 'a folder', JSON.stringify(folder))
    const { content, bytes } = await uploadFolder(store, resolve(root, folder), label)
    return { name, kind: 'folder', content, bytes }
  }
  const bytes = file === undefined ? Buffer.from(text ?? '') : await readBounded(resolve(root, file), MAX_BYTES, label)
  if (bytes.length === 0) throw mistake(label, 'some text', 'nothing')
  const content = await store.put(file === undefined ? 'text.md' : basename(file), bytes, 'text/plain')
  return { name, kind: 'text', content, bytes: bytes.length }
}

async function uploadBranch({ home, env, signal }: Context, { entry, root, store }: Upload): Promise<Candidate> {
  const sandbox = await detectSandbox()
  const run = createRunner(
    sandbox.kind === 'none' ? { sandbox: 'none' } : { sandbox: sandbox.kind, bwrapPath: sandbox.path },
  )
  const git = await openGit({ home, env, run, signal })
  const url = resolve(root, entry.repo ?? '.')
  const scratchRoot = join(home, 'scratch')
  await mkdir(scratchRoot, { recursive: true, mode: 0o700 })
  return await withScratch(scratchRoot, async (into) => {
    const folder = await branchFolder(git, { source: { url }, branch: entry.branch ?? '', into })
    const { content, bytes } = await uploadFolder(store, folder, `candidate ${JSON.stringify(entry.name)}`)
    return { name: entry.name, kind: 'folder', content, bytes }
  })
}
