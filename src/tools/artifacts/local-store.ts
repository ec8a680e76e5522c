import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Artifact } from '../../contracts/artifact.js'
import { Failure } from '../../contracts/failures.js'
import type { ArtifactStore } from '../../contracts/store.js'
import { codeOf } from '../process/error-code.js'
import { makeFolder } from '../state-home.js'
import { createOnce, placeFile, sweepTemporary } from './place-file.js'

/** Largest value that can be published under a key, bytes of JSON. */
const maxValueBytes = 64 * 1024

/**
 * Opens (and creates, for this user alone) a store in a folder that several processes may share:
 * `id`, `sha256/AB/HASH`, `keys/AB/HASH.json`, `temporary/`.
 *
 * Nothing half-written ever stands under a final name, so a killed process leaves at most files in `temporary/`, which the
 * next opening removes. Writing throws `Failure('Tool.Failed')` when the disk is full.
 */
export async function openLocalStore(folder: string): Promise<ArtifactStore & { path: string }> {
  const temporary = join(folder, 'temporary')
  makeFolder(resolve(folder))
  await mkdir(temporary, { recursive: true })
  await sweepTemporary(temporary)
  const id = await storeId(folder, temporary)
  return {
    id,
    path: folder,
    put: async (name, content, mediaType) => put(folder, temporary, describe(name, content, mediaType)),
    get: (artifact) => get(folder, artifact),
    publish: (key, value) => publish(keyPath(folder, key), temporary, { key, value }),
    lookup: (key) => lookup(keyPath(folder, key), key),
  }
}

async function storeId(folder: string, temporary: string): Promise<string> {
  const path = join(folder, 'id')
  const known = await readOrNull(path)
  const id =
    known?.toString('utf8') ?? (await createOnce(path, temporary, randomBytes(6).toString('hex'))).toString('utf8')
  if (/^[a-z0-9]{8,32}$/.test(id)) return id
  throw new Failure(
    'Contract.Violated',
    `artifact store: its file "id" should hold 8 to 32 of a-z and 0-9, not "${id.slice(0, 40)}"`,
  )
}

interface Described {
  artifact: Artifact
  bytes: Buffer
}

function describe(name: string, content: string | Uint8Array, mediaType: string): Described {
  const bytes = Buffer.from(typeof content === 'string' ? Buffer.from(content, 'utf8') : content)
  const described = { name, sha256: hashOf(bytes), size: bytes.length, media_type: mediaType }
  const parsed = Artifact.safeParse(described)
  if (parsed.success) return { artifact: parsed.data, bytes }
  const issue = parsed.error.issues[0]
  throw new Failure(
    'Contract.Violated',
    `artifact ${JSON.stringify(name.slice(0, 80))}: ${issue?.path.join('.')}: ${issue?.message}`,
  )
}

async function put(folder: string, temporary: string, described: Described): Promise<Artifact> {
  const { artifact, bytes } = described
  const path = contentPath(folder, artifact.sha256)
  const known = await sizeOrNull(path)
  if (known !== artifact.size) await placeFile(path, temporary, bytes)
  return artifact
}

async function get(folder: string, artifact: Pick<Artifact, 'sha256' | 'name'>): Promise<Buffer> {
  const parsed = Artifact.pick({ sha256: true, name: true }).safeParse(artifact)
  if (!parsed.success)
    throw new Failure('Contract.Violated', 'artifact store: asked for something that names no artifact')
  const { name, sha256 } = parsed.data
  const bytes = await readOrNull(contentPath(folder, sha256))
  if (bytes === null)
    throw new Failure('Contract.Violated', `artifact "${name}": its content is gone from the store (sha256 ${sha256})`)
  const found = hashOf(bytes)
  if (found === sha256) return bytes
  throw new Failure(
    'Contract.Violated',
    `artifact "${name}": expected content with sha256 ${sha256}, the store holds ${found}`,
  )
}

async function publish(path: string, temporary: string, entry: { key: string; value: unknown }): Promise<unknown> {
  if (entry.value === undefined)
    throw new Failure('Contract.Violated', `artifact store: key "${entry.key}" has no value`)
  const content = JSON.stringify(entry)
  if (Buffer.byteLength(content) > maxValueBytes)
    throw new Failure(
      'Contract.Violated',
      `artifact store: key "${entry.key}" takes at most ${maxValueBytes} bytes of JSON`,
    )
  return valueIn(await createOnce(path, temporary, content), entry.key)
}

async function lookup(path: string, key: string): Promise<unknown> {
  const bytes = await readOrNull(path)
  return bytes === null ? null : valueIn(bytes, key)
}

function valueIn(bytes: Buffer, key: string): unknown {
  const entry: unknown = JSON.parse(bytes.toString('utf8'))
  if (typeof entry === 'object' && entry !== null && 'key' in entry && 'value' in entry && entry.key === key)
    return entry.value
  throw new Failure('Contract.Violated', `artifact store: what is bound to "${key}" is not an entry of this store`)
}

function contentPath(folder: string, sha256: string): string {
  return join(folder, 'sha256', sha256.slice(0, 2), sha256)
}

/** Keys are free text, so their hash names the file. */
function keyPath(folder: string, key: string): string {
  const hash = hashOf(key)
  return join(folder, 'keys', hash.slice(0, 2), `${hash}.json`)
}

function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

async function readOrNull(path: string): Promise<Buffer | null> {
  return readFile(path).catch(nullWhenGone)
}

async function sizeOrNull(path: string): Promise<number | null> {
  await mkdir(dirname(path), { recursive: true })
  const stats = await stat(path).catch(nullWhenGone)
  return stats?.size ?? null
}

function nullWhenGone(error: unknown): null {
  if (codeOf(error) === 'ENOENT') return null
  throw error
}
