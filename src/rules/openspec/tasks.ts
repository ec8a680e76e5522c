import type { OpenSpecTask } from '../../contracts/openspec.js'
import { fileComplaint } from './file-complaint.js'
import { markdownLines } from './markdown-lines.js'

/** A box of tasks.md. */
export interface TaskLine extends OpenSpecTask {
  /** Only x or X, blanks around it aside: every other mark is work that is not finished. */
  isDone: boolean
  /** Offsets of what stands between the brackets. */
  box: { start: number; stop: number }
}

/** All tasks of the file in order. Boxes in code blocks and comments are none. */
export function taskLines(text: string): TaskLine[] {
  return markdownLines(text).lines.flatMap((line) => {
    const [, before, mark, rest] = line.kind === 'text' ? (BOX.exec(line.text) ?? []) : []
    if (before === undefined || mark === undefined || rest === undefined) return []
    const start = line.stop - line.text.length + before.length
    const isDone = /^\s*[xX]\s*$/.test(mark)
    return [{ ...describeTask(rest), isDone, box: { start, stop: start + mark.length } }]
  })
}

/** `- [ ] …`, `* [~] …`, `1. [in progress] …`; not `- [a link](…)`. */
const BOX = /^([ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[)([^[\]]{0,20})\](?=[ \t]|$)(.*)$/u

function describeTask(rest: string): OpenSpecTask {
  const line = rest.replaceAll(/\s+/g, ' ').replace(STATUS_MARKS, '').trim()
  const [, number, text] = /^(?:\*\*|__)?(?:Task )?(\d+(?:\.\d+)*)[.:)]?(?:\*\*|__)?[.:)]? (.+)$/i.exec(line) ?? []
  if (number === undefined || text === undefined || number.length > 40) return { number: null, text: bounded(line) }
  return { number, text: bounded(text) }
}

/** What tools put behind a task to show how it stands. */
const STATUS_MARKS = /(?: |✅|⏳|🏗|\u{FE0F})+$/u

function bounded(text: string): string {
  return text.slice(0, 2_000) || '(no text)'
}

export function firstOpenTask(text: string): OpenSpecTask | null {
  const open = taskLines(text).find((task) => !task.isDone)
  return open === undefined ? null : { number: open.number, text: open.text }
}

/** The task a person names by its number, or by its text. */
export function taskNamed(text: string, name: string): OpenSpecTask | null {
  const found = taskLines(text).filter((task) => task.number === name || task.text === name)
  const [only] = found
  return only === undefined || found.length > 1 ? null : { number: only.number, text: only.text }
}

export interface Ticked {
  text: string
  isTicked: boolean
  /** The end of a line that begins with the file's name; null when all is well. */
  complaint: string | null
}

/** Sets `[x]` on exactly this task. Nothing else in the file changes, and nothing at all when the task cannot be told for certain. */
export function tickTask(text: string, task: OpenSpecTask): Ticked {
  const trouble = fileComplaint(markdownLines(text))
  if (trouble !== null) return { text, isTicked: false, complaint: trouble }
  const found = sameTasks(taskLines(text), task)
  const [only] = found
  if (only === undefined || found.length > 1) {
    const name = task.number === null ? JSON.stringify(task.text.slice(0, 80)) : `task ${task.number}`
    const count = found.length === 0 ? 'none' : String(found.length)
    return { text, isTicked: false, complaint: `expected one box for ${name}, found ${count}` }
  }
  if (only.isDone) return { text, isTicked: true, complaint: null }
  const { start, stop } = only.box
  return { text: `${text.slice(0, start)}x${text.slice(stop)}`, isTicked: true, complaint: null }
}

/** By number and text; where somebody changed one of them meanwhile, by the other. */
function sameTasks(tasks: readonly TaskLine[], { number, text }: OpenSpecTask): TaskLine[] {
  const ways = [
    (task: TaskLine) => task.number === number && task.text === text,
    (task: TaskLine) => task.text === text,
    (task: TaskLine) => number !== null && task.number === number,
  ]
  const found = ways.map((isSame) => tasks.filter((task) => isSame(task)))
  return found.find((each) => each.length > 0) ?? []
}
