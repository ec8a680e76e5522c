import { z } from 'zod'
import { PlannerInput } from '../../contracts/phase-roles.js'
import { Task } from '../../contracts/phase.js'
import { nestedPlanFaults } from '../../rules/phase/nest-plan.js'
import { planFaults } from '../../rules/phase/plan-faults.js'
import { bullets, guidanceSection, joinSections, projectSection, section } from '../prompt-sections.js'
import { defineRole } from '../role.js'

/** Seed 001, 5.4: an instruction becomes tasks. */
export const planner = defineRole({
  name: 'planner',
  abilities: 'read',
  input: PlannerInput,
  answer: z.array(Task).max(200),
  extract: (tasks) => ({ tasks: tasks.length }),
  check: (tasks, { nested_in }) => [
    ...planFaults(tasks),
    ...(nested_in === null ? [] : nestedPlanFaults(nested_in.tasks, tasks)),
  ],
  prompt: (input) => Promise.resolve(promptOf(input)),
})

function promptOf({ instruction, project, guidance, nested_in }: PlannerInput): string {
  return joinSections('Plan the work', [
    section('What the person wants', instruction),
    guidanceSection(guidance),
    projectSection(project),
    section('What to do', WHAT),
    section('Each task has', bullets(FIELDS)),
    section('Dependencies', DEPENDENCIES),
    nested_in === null ? null : section('Part of a bigger plan', NESTED),
    section(
      'Your answer',
      `A JSON array of tasks, in an order in which they could be done. For example:\n\n${EXAMPLE}`,
    ),
  ])
}

const WHAT =
  'Look at the project, then break what is wanted down into tasks that one agent can finish on its own: small enough for one ' +
  'sitting, each of them something that can be tested or checked. Do not plan work that was not asked for.'

const FIELDS = [
  'id: TASK-001, TASK-002, and so on',
  'title: short and clear, 50 characters at most',
  'description: all that the agent needs to know, since it sees neither this conversation nor the other tasks in full',
  'dependencies: ids of the tasks whose result this one needs; an empty array when there are none',
  'priority: 10 critical or blocking others, 7 to 9 high and core, 4 to 6 medium, 1 to 3 low or optional',
  'estimatedComplexity: low, medium or high',
  'agentType: coder (tests, code, gates and review: the usual one), tester (tests only), researcher (answers a question), ' +
    'reviewer (reviews what is there), executor (runs the quality gates), planner (plans a part that cannot be planned yet)',
  'artifacts: paths of the files you expect to come out, as far as you know; an empty array otherwise',
  'acceptanceCriteria, if there are any: sentences, or objects {criterion, test} with the full name of a test, or ' +
    '{criterion, command} with a command as an array of words that must end with exit code 0',
  'researchQuestion, if something must be found out before the task can begin',
]

const DEPENDENCIES =
  'Say which tasks need which others, and no more than that: tasks without dependencies between them are worked on at the same ' +
  'time, on branches that are merged afterwards, so two tasks that change the same lines should depend on one another. No task may ' +
  'depend on itself, directly or through others.'

const NESTED =
  'What you plan takes the place of one task of a plan that is under way. Number your tasks from TASK-001; they are renumbered. ' +
  "None of them may be a planner's."

const EXAMPLE = JSON.stringify(
  [
    {
      id: 'TASK-001',
      title: 'Add the user model',
      description: 'Define the type User with id, name and email, and a function that makes one from unchecked data.',
      dependencies: [],
      priority: 10,
      estimatedComplexity: 'low',
      agentType: 'coder',
      artifacts: ['src/models/user.ts'],
      acceptanceCriteria: ['an email without @ is refused with a message that names the field'],
    },
  ],
  null,
  2,
)
