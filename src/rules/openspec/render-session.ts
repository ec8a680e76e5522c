import type { OpenSpecSession, QuickResume } from '../../contracts/openspec.js'
import { quoteText } from '../aggregate-markdown.js'

/** By which a session is found again: it is never written twice. */
export function sessionMark(id: string): string {
  return `<!-- gauntlet: ${id.replaceAll(/[<>\s]+/g, ' ')} -->`
}

export const RESUME_HEADING = '## Quick Resume'
/** What stands between these is ours; what people write below it stays. */
export const RESUME_START = '<!-- gauntlet: from here to the next mark rewritten by every run -->'
export const RESUME_END = '<!-- gauntlet: end of quick resume -->'

/** Lines of one session. Texts of agents are one line each, and nothing in them is markup. */
export function renderSession(session: OpenSpecSession): string[] {
  return [
    `## Session ${session.at.slice(0, 10)} ${session.at.slice(11, 16)}`,
    sessionMark(session.id),
    ...part('Completed Tasks', session.completed_tasks),
    ...part('Validation Scores', session.scores),
    ...part('Key Decisions', session.decisions),
    ...part('Code Changes', session.changes),
    ...part('Issues Encountered', session.issues),
    ...part('Duration', [session.duration]),
  ]
}

function part(title: string, lines: readonly string[]): string[] {
  return ['', `### ${title}`, ...listed(lines)]
}

function listed(lines: readonly string[]): string[] {
  return lines.length === 0 ? ['- none'] : lines.map((line) => `- ${plain(line)}`)
}

export function renderResume(resume: QuickResume): string[] {
  return [
    RESUME_HEADING,
    RESUME_START,
    '',
    `**TL;DR**: ${plain(resume.tldr)}`,
    '',
    '**Last Working State**',
    `- Current task: ${plain(resume.task)}`,
    `- What was being done: ${plain(resume.doing)}`,
    `- Files modified: ${resume.files.length === 0 ? 'none' : resume.files.map(plain).join(', ')}`,
    '- Compile status: not measured',
    '- Test status: not measured',
    `- Blockers: ${resume.blockers.length === 0 ? 'none' : resume.blockers.map(plain).join('; ')}`,
    '',
    '**Next Steps**',
    ...(resume.next_steps.length === 0 ? ['- none'] : resume.next_steps.map((step, at) => `${at + 1}. ${plain(step)}`)),
    RESUME_END,
  ]
}

function plain(text: string): string {
  return quoteText(text.replaceAll(/\s+/g, ' '), '').trim() || '-'
}
