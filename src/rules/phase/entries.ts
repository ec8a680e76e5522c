import type { FileChange } from '../../contracts/git.js'
import type { ContextEntry } from '../../contracts/phase-context.js'
import type { ResearchExtract, ReviewExtract, ToldExtract } from '../../contracts/phase-roles.js'
import type { AgentType } from '../../contracts/phase.js'
import { cutToBytes } from './byte-length.js'

/** Where an entry comes from; it names the entry, so that the same work never leaves it twice. */
export interface At {
  task: string
  /** 'develop': what was being done, and the how-manieth time. */
  step: string
  round: number
}

/** Seed 001, 5.4: what a planner leaves. */
export function planEntries(at: At, count: number): ContextEntry[] {
  const note = entryMaker(at, 'planner')
  return [
    note('decision', {
      description: 'Created task breakdown',
      reason: 'Based on user instruction analysis',
      impact: `${count} tasks identified`,
    }),
    note('complete', { phase: 'planning', lines: [`Total tasks: ${count}`] }),
  ]
}

export interface Worked {
  /** Null when a person did the work. */
  told: ToldExtract | null
  changes: readonly FileChange[]
}

/** Seed 001, 5.5: what a tester leaves once its tests were seen red. */
export function redEntries(at: At, worked: Worked & { files: readonly string[]; failing: number }): ContextEntry[] {
  const note = entryMaker(at, 'tester')
  const lines = worked.files.slice(0, 20).map((file) => cut(`Test file: ${file}`))
  return [
    ...toldEntries(note, worked, 'TDD test file'),
    note('complete', { phase: 'tdd', lines: [...lines, `Tests failing: ${worked.failing}`] }),
  ]
}

/** Seed 001, 5.6: what a coder leaves once the tests were seen green. */
export function greenEntries(at: At, worked: Worked & { changedFiles: number }): ContextEntry[] {
  const note = entryMaker(at, 'coder')
  const files = worked.changes.map(({ path }) => path)
  const approach = {
    description: 'Implementation approach',
    reason: 'To pass all test cases',
    impact: cut(files.join(', ')),
  }
  return [
    ...toldEntries(note, worked, 'Feature implementation'),
    ...(worked.told?.decisions.length ? [] : [note('decision', approach)]),
    note('complete', { phase: 'develop', lines: [`Implementation files: ${worked.changedFiles}`] }),
  ]
}

/** Seed 001, 5.7; `facts` is what was measured, in few words. */
export function gateEntries(at: At, facts: string): ContextEntry[] {
  const note = entryMaker(at, 'executor')
  return [
    note('decision', {
      description: 'All quality gates passed',
      reason: cut(facts),
      impact: 'Proceed to accept phase',
    }),
    note('complete', { phase: 'verify', lines: ['All quality gates passed'] }),
  ]
}

/** Gates of which an executor says something else than was measured: for whoever reviews. */
export function disagreementEntries(at: At, disagreements: readonly string[]): ContextEntry[] {
  const note = entryMaker(at, 'executor')
  return disagreements
    .slice(0, 7)
    .map((suggestion) => note('suggestion', { suggestion: cut(suggestion), for: 'accept' }))
}

/** Seed 001, 5.8. */
export function reviewEntries(at: At, { overallScore, recommendations }: ReviewExtract): ContextEntry[] {
  const note = entryMaker(at, 'reviewer')
  return [
    note('decision', {
      description: 'Accepted implementation',
      reason: `Overall score: ${overallScore}/10`,
      impact: 'Task marked complete',
    }),
    note('accept_complete', { score: overallScore, approved: true, recommendations }),
  ]
}

export function researchEntries(at: At, { summary, recommendations }: ResearchExtract): ContextEntry[] {
  return [
    entryMaker(at, 'researcher')('complete', {
      phase: 'research',
      lines: [summary, ...recommendations].map((line) => cut(line)),
    }),
  ]
}

type Kind = ContextEntry['kind']
type Of<K extends Kind> = Extract<ContextEntry, { kind: K }>
type Note = <K extends Kind>(kind: K, fields: Omit<Of<K>, 'id' | 'kind' | 'agent' | 'task'>) => ContextEntry

/** Counts the entries of one piece of work, which names them. */
function entryMaker({ task, step, round }: At, agent: AgentType): Note {
  let count = 0
  return (kind, fields) => {
    count += 1
    // The compiler cannot put a discriminated union together from a generic kind and its fields.
    return { id: `${task}/${step}-${round}/${count}`, kind, agent, task, ...fields } as unknown as ContextEntry
  }
}

const KEPT_CHANGES = 12

function toldEntries(note: Note, { told, changes }: Worked, purpose: string): ContextEntry[] {
  const purposes = new Map(told?.files.map((each) => [each.file, each.purpose]))
  return [
    ...(told?.decisions ?? []).map((decision) => note('decision', decision)),
    ...changes.slice(0, KEPT_CHANGES).map(({ action, path }) =>
      note('file_change', {
        action: action === 'rename' ? 'modify' : action,
        file: path,
        purpose: purposes.get(path) || purpose,
      }),
    ),
    ...(told?.suggestions ?? []).map((suggestion) => note('suggestion', suggestion)),
  ]
}

function cut(text: string): string {
  return cutToBytes(text, 300)
}
