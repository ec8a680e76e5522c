import type { Question } from '../contracts/run.js'
import { takeOverOf } from './phase/take-over.js'

/** What a person may type about an open question, one command line each. */
export function answerHints(workflowId: string, question: Question): string[] {
  const answer = `gauntlet answer ${workflowId} ${question.id}`
  if (takeOverOf(question) !== null)
    return [`${answer} --into DIR (makes a worktree)`, `${answer} --from DIR (goes on from what is committed there)`]
  if (question.kind === 'information') return [`${answer} --text TEXT`]
  const look = question.kind === 'approval' ? [`gauntlet pull ${workflowId} --into DIR (to look at it)`] : []
  return [...look, `${answer} --option ${question.default}`]
}
