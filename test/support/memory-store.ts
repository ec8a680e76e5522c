import { createHash } from 'node:crypto'
import type { ArtifactStore } from '../../src/contracts/store.js'

/** An artifact store in memory, for tests that are about something else. */
export function memoryStore(id = 'memory00'): ArtifactStore {
  const blobs = new Map<string, Buffer>()
  const bound = new Map<string, unknown>()
  return {
    id,
    async put(name, content, mediaType) {
      const bytes = Buffer.from(content)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      blobs.set(sha256, bytes)
      return { name, sha256, size: bytes.length, media_type: mediaType }
    },
    async get({ sha256, name }) {
      const bytes = blobs.get(sha256)
      if (bytes === undefined) throw new Error(`no artifact ${name}`)
      return bytes
    },
    async publish(key, value) {
      if (!bound.has(key)) bound.set(key, structuredClone(value))
      return bound.get(key)
    },
    async lookup(key) {
      return bound.get(key) ?? null
    },
  }
}
