import type { CommitId } from '../../contracts/git.js'
import type { Question } from '../../contracts/run.js'

/** A task that a person does by hand, as its question tells. */
export interface TakeOver {
  /** Id of the question. */
  question: string
  task: string
  /** Where to begin. */
  commit: CommitId
}

/** What a question of `takeOverQuestion` is about; null for another one. */
export function takeOverOf({ id, detail }: Pick<Question, 'id' | 'detail'>): TakeOver | null {
  const task = /^(.+)-take-over-\d+-\d+$/.exec(id)?.[1]
  const commit = /^It begins with commit ([0-9a-f]{64}|[0-9a-f]{40})\.$/m.exec(detail)?.[1]
  return task === undefined || commit === undefined ? null : { question: id, task, commit }
}
