import { basename, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ReviewReply, tooLow, VerificationResult, VerifyReply } from '../../src/contracts/review-answers.js'
import { ReviewContentFile } from '../../src/contracts/review-content.js'
import { ReviewTask } from '../../src/contracts/review-task.js'
import { contentFileName, taskIdProblem } from '../../src/rules/review/task-id.js'
import { finding } from '../support/review-finding.js'

describe('task_id', () => {
  it.each([
    ['task_codedoggy:gerrit:123:review_f1e2892152eb', null],
    ['0123456789', null],
    ['012345678', 'at least 10'],
    ['', 'at least 10'],
    ['../../etc/passwd', 'no ".."'],
    ['task..review', 'no ".."'],
    ['task/review/1', 'no path or shell'],
    ['task\\review1', 'no path or shell'],
    ['task$(id)review', 'no path or shell'],
    ['task review 1', 'no path or shell'],
    ['task;review|1', 'no path or shell'],
    ['task\u0000review', 'no path or shell'],
    ['-rf_task_review', 'at the start'],
    ['.task_review', 'at the start'],
    ['任务评审编号一二三四', null],
    ['x'.repeat(200), null],
    ['x'.repeat(201), 'at most 200 bytes'],
    ['评'.repeat(67), 'at most 200 bytes'],
  ])('%j: %s', (taskId, problem) => {
    if (problem === null) expect(taskIdProblem(taskId)).toBeNull()
    else expect(taskIdProblem(taskId)).toContain(problem)
  })

  it('is a file name in its folder, whatever passes', () => {
    const parts = fc.constantFrom('a', 'é', ':', '.', '-', '_', '/', '\\', '~', '$', '\n', '3')
    fc.assert(
      fc.property(fc.array(parts, { minLength: 8, maxLength: 20 }), (given) => {
        const taskId = `task${given.join('')}`
        if (taskIdProblem(taskId) !== null) return
        expect(basename(join('/x', contentFileName(taskId)))).toBe(`${taskId}_content.json`)
        expect(Buffer.byteLength(contentFileName(taskId))).toBeLessThan(256)
      }),
    )
  })
})

const task = { task_id: 'task_review:1', review_type: 'diff', working_directory: '/repo' }

describe('task parameters', () => {
  it('are the seed’s, with empty lists where nothing is said', () => {
    expect(ReviewTask.parse(task)).toEqual({ ...task, priority_focus: [], extra_requirements: [] })
  })

  it.each([
    ['a relative folder', { working_directory: 'repo' }],
    ['a review type nobody knows', { review_type: 'commit' }],
    ['a bad task_id', { task_id: '../x' }],
    ['a requirement without words', { extra_requirements: [''] }],
  ])('refuse %s', (_, said) => {
    expect(ReviewTask.safeParse({ ...task, ...said }).success).toBe(false)
  })
})

const answer = { task_id: 'task_review:1', issues: [] }
const verification = (overall_score: number) => ({
  task_id: 'task_review:1',
  verification_result: {
    accuracy_check: [],
    quality_assessment: { overall_score, quality_level: 'GOOD', weaknesses: ['vague'] },
  },
})

describe('what agents answer', () => {
  it.each<[what: string, said: unknown, fits: boolean]>([
    ['an empty review', answer, true],
    ['an error', { task_id: 'x', status: 'ERROR', message: 'no file' }, true],
    ['an error without a message', { task_id: 'x', status: 'ERROR' }, false],
    ['no status and no issues: absence is no success', { task_id: 'x' }, false],
    ['a status that is none', { ...answer, status: 'OK' }, false],
    ['an error that says nothing', { ...answer, status: 'ERROR' }, false],
    ['issues that are no list', { ...answer, issues: {} }, false],
    ['an issue with fields left empty: judged by itself', { ...answer, issues: [{ label: 'Style' }] }, true],
    ['2,000 issues', { ...answer, issues: Array.from({ length: 2000 }, () => ({})) }, true],
    ['2,001 issues', { ...answer, issues: Array.from({ length: 2001 }, () => ({})) }, false],
  ])('a reviewer: %s', (_, said, fits) => {
    expect(ReviewReply.safeParse(said).success).toBe(fits)
  })

  it.each<[what: string, said: unknown, fits: boolean]>([
    ['a verification', verification(80), true],
    ['a score of 101', verification(101), false],
    ['a score that is no number', verification(Number.NaN), false],
    ['too low a quality', { task_id: 'x', status: 'ERROR', error_type: 'QUALITY_TOO_LOW', message: 'vague' }, true],
    ['no status field and no result', { task_id: 'x' }, false],
  ])('a verifier: %s', (_, said, fits) => {
    expect(VerifyReply.safeParse(said).success).toBe(fits)
  })

  it.each([
    [49.9, false],
    [50, true],
    [0, false],
    [100, true],
  ])('a score of %d passes: %s', (score, passes) => {
    const low = tooLow(VerificationResult.parse(verification(score).verification_result))
    expect(low === null).toBe(passes)
    if (!passes) expect(low).toEqual([`the review scored ${score}, expected at least 50`, 'vague'])
  })
})

it('the content file grows in three stages', () => {
  const first = {
    task_id: 'task_review:1',
    review_type: 'diff',
    created_at: '2024-06-18T15:30:22Z',
    content: { diff_content: 'diff', files_changed: ['a.js'] },
  }
  const summary = {
    total_issues: 1,
    severity_distribution: { Critical: 0, High: 1, Medium: 0, Low: 0 },
    overall_assessment: 'x',
    priority_recommendations: [],
  }
  const review_result = { task_id: first.task_id, issues: [finding()], summary, completed_at: '2024-06-18T15:35:22Z' }
  const second = { ...first, review_result }
  const verification_result = VerificationResult.parse(verification(80).verification_result)
  const third = { ...second, verification_result: { ...verification_result, completed_at: '2024-06-18T15:36:22Z' } }
  for (const stage of [first, second, third]) expect(ReviewContentFile.parse(stage)).toEqual(stage)
})
