import { z } from 'zod'
import { repositoryUrlProblem } from '../rules/git/repository-url.js'
import { RelativePath } from './artifact.js'

/** SHA-1 or SHA-256, whole. */
export const CommitId = z
  .string()
  .regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, { error: 'expected 40 or 64 lower-case hexadecimal digits' })
export type CommitId = z.infer<typeof CommitId>

/** Where a run repository is: an absolute path of this machine, or a URL that all workers reach. Never with a password in it. */
export const RepositoryRef = z.strictObject({
  url: z
    .string()
    .min(1)
    .max(1000)
    .superRefine((url, context) => {
      const problem = repositoryUrlProblem(url)
      if (problem !== null) context.addIssue({ code: 'custom', message: problem })
    }),
})
export type RepositoryRef = z.infer<typeof RepositoryRef>

/** One file that differs between two commits. */
export const FileChange = z.strictObject({
  action: z.enum(['create', 'modify', 'delete', 'rename']),
  path: RelativePath,
  /** Where a renamed file was. */
  old_path: RelativePath.optional(),
  /** Null for what is no text. */
  lines_added: z.int().min(0).nullable(),
  lines_deleted: z.int().min(0).nullable(),
})
export type FileChange = z.infer<typeof FileChange>

/** Who a commit is by, and when: given, never asked of the clock, so that the same work is the same commit. */
export const CommitStamp = z.strictObject({
  name: personal(100),
  email: personal(200),
  /** ISO 8601; git keeps whole seconds. */
  at: z.iso.datetime({ offset: true }),
})
export type CommitStamp = z.infer<typeof CommitStamp>

/** git drops some characters of a name and refuses one of which nothing is left. */
function personal(longest: number): z.ZodString {
  return z
    .string()
    .max(longest)
    .regex(/^[^<>\p{Cc}]*[\p{L}\p{N}][^<>\p{Cc}]*$/u, {
      error: 'expected a letter or digit, and no angle brackets or control characters',
    })
}
