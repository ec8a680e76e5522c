import { z } from 'zod'

/** A path inside a folder: forward slashes, no `..`, not absolute, no control characters. */
export const RelativePath = z
  .string()
  .min(1)
  .max(300)
  .refine((path) => isInside(path), {
    error: 'expected a relative path without "..", backslashes or control characters',
  })
export type RelativePath = z.infer<typeof RelativePath>

/** A file in the artifact store, named by its content. History carries these, never the bytes. */
export const Artifact = z.object({
  name: RelativePath,
  sha256: z.string().regex(/^[0-9a-f]{64}$/, { error: 'expected 64 lower-case hexadecimal digits' }),
  /** Bytes. */
  size: z.int().min(0),
  media_type: z.string().min(1).max(100),
})
export type Artifact = z.infer<typeof Artifact>

function isInside(path: string): boolean {
  const hasControl = Array.from(path).some((character) => character.charCodeAt(0) < 32)
  return !hasControl && !path.startsWith('/') && !path.includes('\\') && !path.split('/').includes('..')
}
