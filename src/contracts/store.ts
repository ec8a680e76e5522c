import type { Artifact } from './artifact.js'

/**
 * Where artifacts live. Shaped so that an S3 store can meet it: whole objects by key, create-if-absent, no appends, no renames.
 * The local store is a folder; several workers may share it.
 */
export interface ArtifactStore {
  /** Names the store in task queues, so that a worker without it never gets its work. 8 to 32 characters of [a-z0-9]. */
  readonly id: string
  put(name: string, content: string | Uint8Array, mediaType: string): Promise<Artifact>
  /** Throws `Failure('Contract.Violated')` when the content is gone or does not match its hash. */
  get(artifact: Pick<Artifact, 'sha256' | 'name'>): Promise<Buffer>
  /** Binds `key` to a small JSON value unless it is bound already; returns what is bound in the end. */
  publish(key: string, value: unknown): Promise<unknown>
  /** The value bound to `key`, or null. */
  lookup(key: string): Promise<unknown>
}
