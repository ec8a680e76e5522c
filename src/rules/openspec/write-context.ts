import type { OpenSpecEdit } from '../../contracts/openspec.js'
import { fileComplaint } from './file-complaint.js'
import { lineEndOf, type MarkdownLine, markdownLines } from './markdown-lines.js'
import { renderResume, renderSession, RESUME_END, sessionMark } from './render-session.js'

type ContextUpdate = Omit<Extract<OpenSpecEdit, { kind: 'context' }>, 'kind'>

export interface WrittenContext {
  text: string
  /** The end of a line that begins with the file's name; the text is then as it was. */
  complaint: string | null
}

/**
 * context.md with the sessions that are not in it yet, and with one `## Quick Resume` of today. All else stays byte for byte; the same
 * update a second time changes nothing.
 * @param text '' where there is no file yet
 */
export function writeContext(text: string, update: ContextUpdate): WrittenContext {
  const look = markdownLines(text)
  const resumes = look.lines.filter(isResume)
  const complaint =
    fileComplaint(look) ?? (resumes.length > 1 ? `expected one "## Quick Resume", found ${resumes.length}` : null)
  if (complaint !== null) return { text, complaint }
  const eol = lineEndOf(text)
  const start = text.replace('\uFEFF', '') === '' ? `${text}# Context: ${update.change}${eol}` : text
  const there = new Set(look.lines.filter(({ kind }) => kind === 'comment').map((line) => line.text.trim()))
  const missing = update.sessions.filter(({ id }) => !there.has(sessionMark(id)))
  const sessions = missing.map((session) => renderSession(session).join(eol))
  const withSessions = sessions.reduce((whole, session) => addSession(whole, session, eol), start)
  return { text: setResume(withSessions, renderResume(update.quick_resume).join(eol), eol), complaint: null }
}

function isResume({ heading, text }: MarkdownLine): boolean {
  return heading === 2 && /^ {0,3}(?:## +)?Quick Resume[ \t#]*$/i.test(text)
}

/** Sessions follow each other; a Quick Resume that ends the file stays at its end. */
function addSession(text: string, session: string, eol: string): string {
  const resume = resumeRange(text)
  const isLast = resume !== null && text.slice(resume.stop).trim() === ''
  if (!isLast) return append(text, session, eol)
  const before = text.slice(0, resume.start)
  return `${before}${gapAfter(before, eol)}${session}${eol}${eol}${text.slice(resume.start)}`
}

function setResume(text: string, resume: string, eol: string): string {
  const range = resumeRange(text)
  if (range === null) return append(text, resume, eol)
  return `${text.slice(0, range.start)}${resume}${text.slice(range.stop)}`
}

/** Ours ends at its mark; one that people or other tools wrote, at the next heading of its level, blank lines before it aside. */
function resumeRange(text: string): { start: number; stop: number } | null {
  const { lines } = markdownLines(text)
  const at = lines.findIndex(isResume)
  const first = lines[at]
  if (first === undefined) return null
  const next = lines.findIndex((line, index) => index > at && line.heading > 0 && line.heading <= 2)
  const section = lines.slice(at, next < 0 ? undefined : next)
  const mark = section.find((line) => line.kind === 'comment' && line.text.startsWith(RESUME_END))
  const last = section.findLast((line) => line.text.trim() !== '') ?? first
  const hasMark = first.start === 0 && text.startsWith('\uFEFF')
  return {
    start: first.start + (hasMark ? 1 : 0),
    stop: mark === undefined ? last.stop : mark.start + RESUME_END.length,
  }
}

function append(text: string, block: string, eol: string): string {
  return `${text}${gapAfter(text, eol)}${block}${eol}`
}

/** What it takes to have one blank line, at least, after the text. */
function gapAfter(text: string, eol: string): string {
  const [, ends = ''] = /((?:\r\n|\r|\n)*)$/.exec(text.slice(-4)) ?? []
  const count = (ends.match(/\r\n|\r|\n/g) ?? []).length
  if (text.replace('\uFEFF', '') === '') return ''
  return eol.repeat(Math.max(0, 2 - count))
}
