import type { CommitId } from '../contracts/git.js'
import { advanceTask, type TaskEvent } from '../rules/phase/decide-task.js'
import { blockedQuestion, takeOverQuestion } from '../rules/phase/phase-questions.js'
import { ask } from './ask.js'
import { type PhaseRun, type RunTask, setStatus } from './phase-run.js'

type Answer = Extract<TaskEvent, { kind: 'answer' }>['answer']

/** Asks a person about a blocked task: try again, take over, leave out. Without an answer it stays blocked. */
export async function askAboutTask(phase: PhaseRun, task: RunTask): Promise<void> {
  const { snapshot, block } = task
  if (snapshot === null || block === null) throw new Error(`${task.outline.id} is blocked without a reason`)
  task.counts.questions += 1
  phase.run.note(task.outline.id, `waits for a person: ${block.reason}`)
  const answer = await askFor(phase, task, block)
  const commit = answer === 'take-over' ? await takenOver(phase, task, snapshot.commit) : null
  const word = answer === 'take-over' && commit === null ? 'none' : answer
  task.snapshot = {
    ...snapshot,
    commit: commit ?? snapshot.commit,
    progress: advanceTask(snapshot.progress, { kind: 'answer', answer: word }),
  }
  settle(phase, task, word)
}

async function askFor(phase: PhaseRun, task: RunTask, block: NonNullable<RunTask['block']>): Promise<Answer> {
  const { run, input } = phase
  const draft = blockedQuestion(task.outline, block, task.counts.questions)
  const answer = await ask(run, draft, input.answer_within_seconds)
  const isAnswered = run.state.questions.some(({ id, answered_by }) => id === draft.id && answered_by !== 'default')
  return isAnswered && run.abortReason === null ? (answer as Answer) : 'none'
}

/** The commit to go on from; null when none was given in time. */
async function takenOver({ run, input }: PhaseRun, task: RunTask, from: CommitId): Promise<CommitId | null> {
  let trouble: string | null = null
  for (let round = 1; ; round += 1) {
    const name = `${task.counts.questions}-${round}`
    const text = await ask(
      run,
      takeOverQuestion(task.outline, { commit: from, name, trouble }),
      input.answer_within_seconds,
    )
    const commit = text.trim()
    if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) return commit
    if (commit === '' || run.abortReason !== null) return null
    trouble = `Expected the whole id of a commit, got "${commit.slice(0, 80)}".`
  }
}

function settle(phase: PhaseRun, task: RunTask, word: Answer): void {
  const { run } = phase
  const { id } = task.outline
  if (word === 'retry' || word === 'take-over') {
    task.block = null
    setStatus(task, 'pending')
    return run.note(id, word === 'retry' ? 'to be tried again' : 'taken over by a person')
  }
  task.note = word === 'skip' ? 'left out by a person' : `blocked: ${task.block?.reason ?? ''}`
  task.isGivenUp = true
  setStatus(task, word === 'skip' ? 'skipped' : 'blocked')
  run.mark(id, word === 'skip' ? 'skipped' : 'failed', task.note)
}
