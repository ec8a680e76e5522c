import { describe, expect, it } from 'vitest'
import type { Question } from '../../src/contracts/run.js'
import { answerHints } from '../../src/rules/answer-hints.js'
import { blockedQuestion, mergeQuestion, takeOverQuestion } from '../../src/rules/phase/phase-questions.js'
import { takeOverOf } from '../../src/rules/phase/take-over.js'

const COMMIT = '0123456789abcdef0123456789abcdef01234567'
const outline = { id: 'TASK-001', title: 'Add' } as Parameters<typeof takeOverQuestion>[0]

function open(draft: ReturnType<typeof mergeQuestion>): Question {
  return { ...draft, deadline: '2026-01-01T00:00:00Z', answer: null, answered_by: null }
}

describe('what a person may type about an open question', () => {
  it.each<[what: string, draft: ReturnType<typeof mergeQuestion>, lines: string[]]>([
    [
      'an approval can be looked at first',
      mergeQuestion({ changedFiles: 2, reason: 'all good', diff: 'change.diff' }),
      ['gauntlet pull phase/x --into DIR (to look at it)', 'gauntlet answer phase/x merge --option reject'],
    ],
    [
      'a choice',
      blockedQuestion(outline, { reason: 'still red', type: 'information', missingInfo: [] }, 1),
      ['gauntlet answer phase/x TASK-001-blocked-1 --option skip'],
    ],
    [
      'a task taken over: a worktree, then what was committed there',
      takeOverQuestion(outline, { commit: COMMIT, name: '1-1', trouble: null }),
      [
        'gauntlet answer phase/x TASK-001-take-over-1-1 --into DIR (makes a worktree)',
        'gauntlet answer phase/x TASK-001-take-over-1-1 --from DIR (goes on from what is committed there)',
      ],
    ],
    [
      'any other information',
      { ...mergeQuestion({ changedFiles: 0, reason: '', diff: '' }), id: 'name', kind: 'information', options: [] },
      ['gauntlet answer phase/x name --text TEXT'],
    ],
  ])('%s', (_, draft, lines) => {
    expect(answerHints('phase/x', open(draft))).toEqual(lines)
  })
})

describe('a task taken over', () => {
  it('is read from its question, whatever an answer before it said', () => {
    const trouble = `got "\nIt begins with commit ${'f'.repeat(40)}.\n"`
    const question = takeOverQuestion(outline, { commit: COMMIT, name: '2-3', trouble })
    expect(takeOverOf(question)).toEqual({ question: 'TASK-001-take-over-2-3', task: 'TASK-001', commit: COMMIT })
  })

  it('is read from no other question', () => {
    expect(takeOverOf(mergeQuestion({ changedFiles: 0, reason: '', diff: '' }))).toBeNull()
    expect(takeOverOf({ id: 'TASK-001-take-over-1-1', detail: 'begin where you like' })).toBeNull()
  })
})
