import type { AgentUsage } from '../../contracts/agent.js'
import type { BlockInfo } from '../../contracts/phase-answers.js'
import type { PhaseResult } from '../../contracts/phase-run.js'
import type { TaskOutline, TaskSnapshot } from '../../contracts/phase-task.js'
import type { TaskStatus } from '../../contracts/phase.js'

type Record = PhaseResult['tasks'][number]

export interface EndedTask {
  outline: TaskOutline
  status: TaskStatus
  snapshot: TaskSnapshot | null
  block: BlockInfo | null
  note: string
  usage: AgentUsage
}

/** A task as the result tells of it. */
export function taskRecord({ outline, status, snapshot, block, note, usage }: EndedTask): Record {
  const { id, title, agentType } = outline
  return {
    id,
    title,
    agentType,
    status: endOf(status, snapshot),
    note,
    commit: snapshot === null || snapshot.commit === snapshot.base ? null : snapshot.commit,
    seen_red: snapshot?.progress.seenRed ?? false,
    quality: qualityOf(snapshot),
    review: reviewOf(snapshot),
    block,
    usage,
  }
}

function endOf(status: TaskStatus, snapshot: TaskSnapshot | null): Record['status'] {
  if (status === 'completed' || status === 'blocked' || status === 'skipped' || status === 'failed') return status
  if (status === 'waiting') return 'blocked'
  return snapshot === null ? 'not_started' : 'unfinished'
}

function qualityOf(snapshot: TaskSnapshot | null): Record['quality'] {
  if (snapshot === null || snapshot.quality === null) return null
  const { overallStatus, report } = snapshot.quality
  return { overallStatus, report }
}

function reviewOf(snapshot: TaskSnapshot | null): Record['review'] {
  if (snapshot === null || snapshot.review === null || snapshot.review_artifact === null) return null
  const { outcome, overallScore } = snapshot.review
  return { outcome, overallScore, answer: snapshot.review_artifact }
}
