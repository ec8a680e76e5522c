import type { BlockInfo } from '../../contracts/phase-answers.js'
import type { TaskOutline } from '../../contracts/phase-task.js'
import type { Question } from '../../contracts/run.js'

type Draft = Pick<Question, 'id' | 'kind' | 'title' | 'detail' | 'options' | 'default'>

/** A plan that nobody has approved is not followed: silence is no. */
export function planQuestion(tasks: readonly TaskOutline[], round: number): Draft {
  const lines = tasks.map(({ id, title, agentType, priority, dependencies }) => {
    const after = dependencies.length === 0 ? '' : `, after ${dependencies.join(', ')}`
    return `${id} ${title} (${agentType}, priority ${priority}${after})`
  })
  return {
    id: round === 1 ? 'plan' : `plan-${round}`,
    kind: 'approval',
    title: `Shall these ${tasks.length} tasks be worked on?`,
    detail: lines.join('\n'),
    options: [
      { key: 'approve', label: 'yes' },
      { key: 'modify', label: 'plan again, with what was said by guide' },
      { key: 'reject', label: 'no: end the run' },
    ],
    default: 'reject',
  }
}

export function mergeQuestion(facts: { changedFiles: number; reason: string; diff: string }): Draft {
  return {
    id: 'merge',
    kind: 'approval',
    title: 'Shall this be the result?',
    detail: `${facts.changedFiles} files are changed; ${facts.reason}. The whole change is ${facts.diff}.`,
    options: [
      { key: 'approve', label: 'yes' },
      { key: 'reject', label: 'no: end the run without a result' },
    ],
    default: 'reject',
  }
}

/** A blocked task; without an answer it stays blocked, and the others go on. */
export function blockedQuestion({ id, title }: TaskOutline, block: BlockInfo, round: number): Draft {
  return {
    id: `${id}-blocked-${round}`,
    kind: 'choice',
    title: `${id} ${title}: ${block.reason}`,
    detail: [...block.missingInfo, 'What you say by guide joins the next prompt.'].join('\n'),
    options: [
      { key: 'retry', label: 'try again' },
      { key: 'take-over', label: 'I do it: gives a worktree, goes on from what I commit' },
      { key: 'skip', label: 'leave it out' },
    ],
    default: 'skip',
  }
}

/** `takeOverOf` reads it again. */
export function takeOverQuestion(
  { id, title }: TaskOutline,
  facts: { commit: string; name: string; trouble: string | null },
): Draft {
  const trouble = facts.trouble === null ? [] : [facts.trouble]
  return {
    id: `${id}-take-over-${facts.name}`,
    kind: 'information',
    title: `${id} ${title} is yours`,
    detail: [`It begins with commit ${facts.commit}.`, BY_HAND, ...trouble].join('\n'),
    options: [],
    default: '',
  }
}

const BY_HAND =
  '`gauntlet answer` with --into DIR makes a worktree, with --from DIR goes on from what is committed there. The id of a commit in ' +
  'the run repository is an answer too.'
