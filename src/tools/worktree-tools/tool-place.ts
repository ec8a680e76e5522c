import type { z } from 'zod'
import type { ProcessOutcome } from '../../contracts/process.js'

/** Where an agent's tools work. */
export interface ToolPlace {
  /** The worktree, absolute. */
  root: string
  /** Files that may be read but not changed, relative to the worktree. */
  protected: readonly string[]
  /** Runs a program in the worktree, in its sandbox. */
  run(program: { argv: readonly [string, ...string[]]; timeMs?: number }): Promise<ProcessOutcome>
}

/** One thing a model can have done in a worktree. Untrusted input in, text for the model out. */
export interface WorktreeTool<I extends z.ZodType = z.ZodType> {
  name: string
  description: string
  input: I
  /** Throws `Failure('Contract.Violated')` or `Failure('Tool.Missing')` with a line for the model. */
  use(place: ToolPlace, input: z.infer<I>): Promise<string>
}

/** Keeps a tool's types together while it is written. */
export function defineTool<I extends z.ZodType>(tool: WorktreeTool<I>): WorktreeTool<I> {
  return tool
}

/** Bytes of a tool's result; what is cut says so. */
export const maxResultBytes = 32 * 1024

/** At most `bytes` of a text, cut in the middle. */
export function clipped(text: string, bytes: number = maxResultBytes): string {
  const all = Buffer.from(text)
  if (all.length <= bytes) return text
  const half = Math.floor(bytes / 2)
  const [start, end] = [all.subarray(0, half), all.subarray(all.length - half)]
  return `${start.toString('utf8')}\n[${all.length - 2 * half} bytes left out]\n${end.toString('utf8')}`
}
