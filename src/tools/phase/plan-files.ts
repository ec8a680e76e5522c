import type { Artifact } from '../../contracts/artifact.js'
import { Failure } from '../../contracts/failures.js'
import { parseContract, parseJson } from '../../contracts/parse.js'
import type { LoadedPlan, LoadPlanOrder, NestPlanOrder, ReadTaskOrder } from '../../contracts/phase-run.js'
import { TaskOutline } from '../../contracts/phase-task.js'
import { Plan, type Task } from '../../contracts/phase.js'
import type { ArtifactStore } from '../../contracts/store.js'
import { isolationOf, type IsolationMode } from '../../rules/phase/isolation.js'
import { nestedPlanFaults, nestPlan } from '../../rules/phase/nest-plan.js'

/** A plan that a planner or a person wrote, checked as a whole. Throws `Failure('Contract.Violated')` naming its first fault. */
export async function loadPlan(store: ArtifactStore, { plan, isolation }: LoadPlanOrder): Promise<LoadedPlan> {
  const tasks = await readPlan(store, plan)
  return { tasks: tasks.map((task) => outlineOf(task, isolation)), plan }
}

/** Puts the plan that a planner's task made in that task's place. Throws as `loadPlan` does. */
export async function putNestedPlan(store: ArtifactStore, order: NestPlanOrder): Promise<LoadedPlan> {
  const tasks = await readPlan(store, order.plan)
  const nested = await readPlan(store, order.nested)
  const fault = nestedPlanFaults(tasks.length, nested)[0]
  if (fault !== undefined) throw new Failure('Contract.Violated', `nested plan: ${fault}`)
  const whole = nestPlan(tasks, findTask(tasks, order.task), nested)
  const plan = await store.put(order.plan.name, `${JSON.stringify(whole, null, 2)}\n`, 'application/json')
  return { tasks: whole.map((task) => outlineOf(task, order.isolation)), plan }
}

/** One task of a plan, whole. */
export async function readTask(store: ArtifactStore, { plan, task }: ReadTaskOrder): Promise<Task> {
  return findTask(await readPlan(store, plan), task)
}

async function readPlan(store: ArtifactStore, plan: Artifact): Promise<Task[]> {
  return parseJson(Plan, (await store.get(plan)).toString('utf8'), 'plan')
}

function findTask(tasks: readonly Task[], id: string): Task {
  const task = tasks.find((each) => each.id === id)
  if (task === undefined) throw new Failure('Contract.Violated', `plan: expected a task ${id}, found none`)
  return task
}

function outlineOf(task: Task, mode: IsolationMode): TaskOutline {
  const { id, title, priority, estimatedComplexity, agentType } = task
  const dependencies = [...new Set(task.dependencies)]
  const isolated = isolationOf(task, mode) === 'worktree'
  const has_question = task.researchQuestion !== undefined
  const outline = { id, title, dependencies, priority, estimatedComplexity, agentType, isolated, has_question }
  return parseContract(TaskOutline, outline, `plan: ${id}`)
}
