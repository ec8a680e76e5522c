import type { Artifact } from '../contracts/artifact.js'
import type { ProjectContext } from '../contracts/phase-context.js'
import type { TaskBrief } from '../contracts/phase-roles.js'
import { fence, UNTRUSTED_RULE } from '../rules/fence.js'
import type { Look } from './role.js'

/** Sections under one title, null ones left out, with the rule for fenced text before them. */
export function joinSections(title: string, sections: readonly (string | null)[]): string {
  return [`# ${title}`, UNTRUSTED_RULE, ...sections.filter((each) => each !== null)].join('\n\n')
}

export function section(heading: string, body: string): string {
  return `## ${heading}\n${body}`
}

export function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n')
}

export function projectSection({ techStack, structure, conventions }: ProjectContext): string {
  const facts = [
    `Tech stack: ${techStack.join(', ') || 'not known'}`,
    'Structure:',
    structure,
    'Conventions:',
    conventions,
  ]
  return section('The project', fence('what was found in the repository', facts.join('\n')))
}

/** Task, what those before have left, and what a person has said meanwhile. */
export function briefSections({ task, memory, suggestions, guidance }: TaskBrief): (string | null)[] {
  return [
    section('The task', `${task.id}: ${task.title}\n\n${task.description}`),
    task.artifacts.length === 0 ? null : section('Files expected to come out', bullets(task.artifacts)),
    guidanceSection(guidance),
    memory === '' ? null : section('What agents before you have left', fence('notes of other agents', memory)),
    suggestions.length === 0
      ? null
      : section('Suggested for this phase', fence('suggestions of other agents', bullets(suggestions))),
  ]
}

export function guidanceSection(guidance: readonly string[]): string | null {
  return guidance.length === 0 ? null : section('The person who runs this says', bullets(guidance))
}

/** An artifact's text as fenced data; null without one. */
export async function artifactSection(
  look: Look,
  { heading, label, artifact }: { heading: string; label: string; artifact: Artifact | null },
): Promise<string | null> {
  return artifact === null ? null : section(heading, fence(label, await look.artifact(artifact)))
}

const MAX_SHOWN_BYTES = 60_000

/** Files of the worktree, one fence each, until they become too much; what is not shown is named. */
export async function filesSection(
  look: Look,
  { heading, paths }: { heading: string; paths: readonly string[] },
): Promise<string | null> {
  const shown: string[] = []
  const left: string[] = []
  let size = 0
  for (const path of paths) {
    const text = size < MAX_SHOWN_BYTES ? await look.file(path) : null
    if (text === null || size + text.length > MAX_SHOWN_BYTES) left.push(path)
    else {
      shown.push(fence(`the file ${path}`, text))
      size += text.length
    }
  }
  const note = left.length === 0 ? [] : [`Not shown here, read them yourself: ${left.join(', ')}`]
  return paths.length === 0 ? null : section(heading, [...shown, ...note].join('\n\n'))
}

/** What holds for whoever works in a worktree. */
export const WORKTREE_RULES = section(
  'Where you work',
  bullets([
    'The current folder is a fresh copy of the repository, made for this attempt alone. Stay within it.',
    'Leave version control to the engine: no commits, no branches, nothing below .git. What you leave in the files is your result.',
    'There is no network for programs you start. Dependencies that were installed are there; others are not.',
    'What you report is compared with what the engine measures. Report what you saw, failures included.',
  ]),
)
