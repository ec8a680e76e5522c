import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { AgentUsage, RoleName } from '../../contracts/agent.js'
import { RelativePath } from '../../contracts/artifact.js'
import { Failure, FAILURE_TYPES } from '../../contracts/failures.js'
import { parseJson } from '../../contracts/parse.js'
import { placeInside } from '../../tools/folder/place-inside.js'
import { readBounded } from '../../tools/folder/read-bounded.js'
import { writeWhole } from '../../tools/folder/write-whole.js'
import type { AgentBox, AgentRequest, BackendSetup, OpenBackend, RawAnswer } from './backend.js'

/** One answer, and which questions it is for: those that agree with all that it names. */
const ScriptEntry = z
  .strictObject({
    role: RoleName,
    task_id: z.string().optional(),
    step: z.string().optional(),
    round: z.int().min(1).optional(),
    attempt: z.int().min(1).optional(),
    /** JSON. */
    answer: z.unknown().optional(),
    /** Words instead, as an agent might put them. */
    text: z.string().optional(),
    /** Done in the worktree first; null removes a file. */
    edits: z
      .array(z.strictObject({ path: RelativePath, content: z.string().nullable() }))
      .max(500)
      .optional(),
    fail: z.enum(FAILURE_TYPES).optional(),
    message: z.string().max(1_000).optional(),
    delay_ms: z.int().min(0).max(3_600_000).optional(),
    usage: AgentUsage.partial().optional(),
  })
  .refine(hasOneEnd, { error: 'expected one of answer, text and fail' })
type ScriptEntry = z.infer<typeof ScriptEntry>

/** A script: `{"answers": [...]}`. */
const ScriptFile = z.strictObject({ answers: z.array(ScriptEntry).max(10_000) })

function hasOneEnd(entry: object): boolean {
  return ['answer', 'text', 'fail'].filter((name) => name in entry).length === 1
}

/**
 * A file of answers and edits, for tests, demos and replays. An answer is found by what it names, never by its place in the file: the
 * one that names most. A question nobody wrote an answer for is `Contract.Violated`; answers nobody asked for are `leftovers`.
 */
export const openScript: OpenBackend<'script'> = (agent, setup) => ({
  async ask(request, box) {
    const entries = await readScript(agent, setup.name)
    const index = findEntry(entries, { request, box })
    const entry = entries[index]
    if (entry === undefined) throw new Error('an entry that was found is not there')
    const { step, round } = box
    await setup.store.publish(keyOf(setup, request.run_id, index), { step, round, attempt: request.attempt })
    return await perform(entry, request, box)
  },
  async leftovers(runId) {
    const entries = await readScript(agent, setup.name)
    const lines: string[] = []
    for (const [index, entry] of entries.entries()) {
      const isUsed = (await setup.store.lookup(keyOf(setup, runId, index))) !== null
      if (!isUsed) lines.push(`${setup.name}: nobody asked for answer ${index + 1} (${describeEntry(entry)})`)
    }
    return lines
  },
})

function keyOf({ name }: BackendSetup, runId: string, index: number): string {
  return `script/${runId}/${name}/${index}`
}

async function readScript(agent: { file: string; sha256: string }, name: string): Promise<readonly ScriptEntry[]> {
  const bytes = await bytesOf(agent.file, name)
  if (createHash('sha256').update(bytes).digest('hex') !== agent.sha256)
    throw new Failure('Contract.Violated', `${name}: its file was changed since it was named`)
  return parseJson(ScriptFile, bytes.toString('utf8'), name).answers
}

async function bytesOf(file: string, name: string): Promise<Buffer> {
  try {
    return await readBounded(file, maxBytes)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new Failure('Agent.Unavailable', `${name}: ${error.message}`, { cause: error })
  }
}

const maxBytes = 16 * 1024 ** 2

interface Question {
  request: AgentRequest
  box: AgentBox
}

/** Index of the entry that names most of the question. Two that name equally much are a mistake in the file. */
function findEntry(entries: readonly ScriptEntry[], question: Question): number {
  const fits = entries.flatMap((entry, index) =>
    isFor(entry, question) ? [{ index, named: namesIn(entry).length }] : [],
  )
  const most = Math.max(...fits.map((each) => each.named))
  const [best, rival] = fits.filter((each) => each.named === most)
  if (best === undefined) throw new Failure('Contract.Violated', `the script has no answer for ${describe(question)}`)
  if (rival === undefined) return best.index
  throw new Failure(
    'Contract.Violated',
    `the script's answers ${best.index + 1} and ${rival.index + 1} are both for ${describe(question)}`,
  )
}

const NAMES = ['role', 'task_id', 'step', 'round', 'attempt'] as const

function namesIn(entry: ScriptEntry): readonly (typeof NAMES)[number][] {
  return NAMES.filter((name) => entry[name] !== undefined)
}

function isFor(entry: ScriptEntry, question: Question): boolean {
  const asked = namesOf(question)
  return namesIn(entry).every((name) => entry[name] === asked[name])
}

function namesOf({ request, box }: Question) {
  const { role, task_id, attempt } = request
  return { role, task_id, step: box.step, round: box.round, attempt }
}

function describe(question: Question): string {
  const { role, task_id, step, round, attempt } = namesOf(question)
  return `role ${role}, task ${task_id ?? 'none'}, step ${step}, round ${round}, attempt ${attempt}`
}

function describeEntry(entry: ScriptEntry): string {
  return namesIn(entry)
    .map((name) => `${name.replace('_id', '')} ${entry[name]}`)
    .join(', ')
}

async function perform(entry: ScriptEntry, request: AgentRequest, box: AgentBox): Promise<RawAnswer> {
  const startedAt = performance.now()
  if (entry.delay_ms !== undefined) await sleep(entry.delay_ms, undefined, { signal: box.signal })
  await edit(entry, request, box)
  const seconds = (performance.now() - startedAt) / 1000
  const usage: AgentUsage = { input_tokens: 0, output_tokens: 0, cost: 0, seconds, ...definedOf(entry.usage ?? {}) }
  if (entry.fail !== undefined)
    throw new Failure(entry.fail, entry.message ?? `the script says ${entry.fail}`, { details: { usage } })
  return { answer: entry.text === undefined ? { value: entry.answer } : { text: entry.text }, usage }
}

function definedOf(usage: Partial<{ [K in keyof AgentUsage]: AgentUsage[K] | undefined }>): Partial<AgentUsage> {
  return Object.fromEntries(Object.entries(usage).filter(([, amount]) => amount !== undefined))
}

async function edit({ edits = [] }: ScriptEntry, { role, abilities }: AgentRequest, box: AgentBox): Promise<void> {
  if (edits.length > 0 && abilities !== 'edit' && abilities !== 'run')
    throw new Failure('Contract.Violated', `the script's answer has edits, which the ${role} may not make`)
  for (const { path, content } of edits) {
    if (content !== null) await writeWhole(box.cwd, path, content)
    else await rm((await placeInside(box.cwd, path)).path, { recursive: true, force: true })
    box.record({ kind: 'tool_call', tool: content === null ? 'remove' : 'write', path })
  }
}
