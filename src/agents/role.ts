import type { z } from 'zod'
import type { Ability, RoleName } from '../contracts/agent.js'
import type { Artifact } from '../contracts/artifact.js'

/** What a prompt may look at while it is written. Both are bounded, and what is cut says so. */
export interface Look {
  /** Text of a file of the attempt's worktree; null when it is not there, not text, or outside. */
  file(path: string): Promise<string | null>
  artifact(artifact: Artifact): Promise<string>
  /** The same uncut, for a document that is read before it is shown. */
  whole(artifact: Pick<Artifact, 'sha256' | 'name'>): Promise<string>
}

/** One role: what it is told, how it is asked, what it must answer, what it may do. One file each, named after it. */
export interface Role<I extends z.ZodType = z.ZodType, A extends z.ZodType = z.ZodType> {
  name: RoleName
  abilities: Ability
  input: I
  /** Validated strictly; its JSON Schema is told to the agent. */
  answer: A
  /** What history keeps of an answer: at most 16 KB as JSON. */
  extract(answer: z.infer<A>, input: z.infer<I>): unknown
  /** Complaints beyond the shape (a cycle in a plan), each a sentence for the agent; none when the answer is good. */
  check?(answer: z.infer<A>, input: z.infer<I>): readonly string[]
  prompt(input: z.infer<I>, look: Look): Promise<string>
}

/** Keeps a role's types together while it is written. */
export function defineRole<I extends z.ZodType, A extends z.ZodType>(role: Role<I, A>): Role<I, A> {
  return role
}
