import type { Task } from '../../contracts/phase.js'
import { byteLength } from './byte-length.js'
import { findCycle } from './find-cycle.js'

/** A plan of more tasks is no plan a person can read, and its outline would not fit into one payload. */
export const MAX_TASKS = 100
const MAX_TITLE = 50
/** Of a task as JSON: it travels in every question that is asked about it. */
const MAX_TASK_BYTES = 12_000

/** Why a plan cannot be taken (pipelines.md, phase 2), a sentence each, all at once; none when it is good. */
export function planFaults(tasks: readonly Task[]): string[] {
  if (tasks.length === 0) return ['The plan is empty: expected at least one task.']
  const size = tasks.length > MAX_TASKS ? [`The plan has ${tasks.length} tasks: expected at most ${MAX_TASKS}.`] : []
  const own = tasks.flatMap((task, index) => TASK_RULES.flatMap((rule) => rule(task, index)))
  return [
    ...size,
    ...own,
    ...repeatedIds(tasks),
    ...tasks.flatMap((task) => wrongDependencies(task, tasks)),
    ...cycleOf(tasks),
  ]
}

type TaskRule = (task: Task, index: number) => string[]

const TASK_RULES: readonly TaskRule[] = [
  ({ id }, index) =>
    /^TASK-(?!000)\d{3}$/.test(id)
      ? []
      : [`Task ${index + 1} has the id "${shortened(id)}": expected TASK-NNN, three digits.`],
  ({ id, title }) => {
    const length = Array.from(title).length
    if (title.trim() === '') return [`${shortened(id)} has no title.`]
    return length > MAX_TITLE
      ? [`The title of ${shortened(id)} has ${length} characters: expected at most ${MAX_TITLE}.`]
      : []
  },
  ({ id, priority }) =>
    Number.isInteger(priority) && priority >= 1 && priority <= 10
      ? []
      : [`The priority of ${shortened(id)} is ${priority}: expected a whole number from 1 to 10.`],
  (task) => {
    const bytes = byteLength(JSON.stringify(task))
    return bytes > MAX_TASK_BYTES
      ? [
          `${shortened(task.id)} is ${bytes} bytes long: expected at most ${MAX_TASK_BYTES}; say less, or make two tasks of it.`,
        ]
      : []
  },
  ({ id, artifacts }) =>
    artifacts
      .filter((path) => !isInside(path))
      .map(
        (path) =>
          `${shortened(id)} expects the file "${shortened(path)}": expected a relative path within the repository.`,
      ),
]

/** An id is an agent's text until it is known to be good. */
function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

function isInside(path: string): boolean {
  return !/^(?:[/\\]|[A-Za-z]:)/.test(path) && !path.split(/[/\\]/).includes('..') && !/\p{Cc}/u.test(path)
}

function repeatedIds(tasks: readonly Task[]): string[] {
  const ids = tasks.map((task) => task.id)
  const repeated = new Set(ids.filter((id, index) => ids.indexOf(id) !== index))
  return [...repeated].map(
    (id) => `${shortened(id)} is the id of ${ids.filter((each) => each === id).length} tasks: expected one.`,
  )
}

function wrongDependencies({ id, dependencies }: Task, tasks: readonly Task[]): string[] {
  const known = new Set(tasks.map((task) => task.id))
  return [...new Set(dependencies)]
    .filter((each) => !known.has(each))
    .map((each) => `${shortened(id)} depends on ${shortened(each)}, which is not in the plan.`)
}

/** Of several cycles one is named: mending it may well mend the others. */
function cycleOf(tasks: readonly Task[]): string[] {
  const cycle = findCycle(new Map(tasks.map(({ id, dependencies }) => [id, dependencies])))
  return cycle === null ? [] : [`The dependencies form a cycle: ${cycle.map(shortened).join(' → ')}.`]
}
