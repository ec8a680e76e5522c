import { createHash } from 'node:crypto'
import { z } from 'zod'
import { AgentUsage, type AgentOrder } from '../contracts/agent.js'
import { Artifact } from '../contracts/artifact.js'
import { Failure } from '../contracts/failures.js'
import { parseContract, parseJson } from '../contracts/parse.js'
import type { ArtifactStore } from '../contracts/store.js'

/** What one call came to, kept so that whoever repeats the call asks nobody. */
export const AskRecord = z.object({
  /** Of what was asked: see `digestOf`. */
  question: z.string(),
  /** None when the answer fits. */
  complaints: z.array(z.string()),
  extract: z.unknown(),
  answer: Artifact.nullable(),
  transcript: Artifact,
  usage: AgentUsage,
  is_sandboxed: z.boolean(),
})
export type AskRecord = z.infer<typeof AskRecord>

/** The same for every attempt of a round: role, task and input. */
export function digestOf({ role, task_id, input }: AgentOrder): string {
  return createHash('sha256')
    .update(JSON.stringify([role, task_id, input]))
    .digest('hex')
}

/** Writes the record as an artifact; whoever is told the artifact finds it. */
export async function storeRecord(store: ArtifactStore, order: AgentOrder, record: AskRecord): Promise<Artifact> {
  return await store.put(`${baseName(order)}.record.json`, JSON.stringify(record), 'application/json')
}

/**
 * The record that an artifact, told by somebody earlier, leads to. Throws `Failure('Contract.Violated')` when it is of another
 * question: two questions of a run have the same step and round.
 */
export async function readRecord(store: ArtifactStore, order: AgentOrder, told: unknown): Promise<AskRecord> {
  const artifact = parseContract(Artifact, told, 'record of an agent')
  const record = parseJson(AskRecord, (await store.get(artifact)).toString('utf8'), 'record of an agent')
  if (record.question === digestOf(order)) return record
  throw new Failure(
    'Contract.Violated',
    `${order.step}, round ${order.round}: another question was asked under this name before`,
  )
}

/** Binds a record to its call in the store; returns the one that was first. */
export async function publishRecord(store: ArtifactStore, order: AgentOrder, record: Artifact): Promise<unknown> {
  return await store.publish(keyOf(order), record)
}

/** What `publishRecord` bound to this call, or null. */
export async function lookupRecord(store: ArtifactStore, order: AgentOrder): Promise<unknown> {
  return await store.lookup(keyOf(order))
}

function keyOf({ run_id, step, round, attempt }: AgentOrder): string {
  return `ask/${run_id}/${step}/${round}/${attempt}`
}

export async function storeAnswer(store: ArtifactStore, order: AgentOrder, answer: unknown): Promise<Artifact> {
  return await store.put(`${baseName(order)}.answer.json`, JSON.stringify(answer), 'application/json')
}

export async function storeTranscript(store: ArtifactStore, order: AgentOrder, text: string): Promise<Artifact> {
  return await store.put(`${baseName(order)}.transcript.jsonl`, text, 'application/jsonl')
}

/** Of the artifacts of one call. */
function baseName({ step, round, attempt }: AgentOrder): string {
  return `agents/${step}-${round}-${attempt}`
}
