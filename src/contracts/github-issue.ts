import { z } from 'zod'

/** The part of a GitHub REST issue object that the search for duplicates reads. */
export const GitHubIssue = z.object({
  number: z.int(),
  title: z.string(),
  state: z.string(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string() })])).default([]),
  body: z.string().nullable().default(null),
  html_url: z.string(),
  created_at: z.string().optional(),
  pull_request: z.unknown().optional(),
})
export type GitHubIssue = z.infer<typeof GitHubIssue>
