import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FileChange } from '../../../src/contracts/git.js'
import type { BlockInfo } from '../../../src/contracts/phase-answers.js'
import { ContextEntry } from '../../../src/contracts/phase-context.js'
import type { ToldExtract } from '../../../src/contracts/phase-roles.js'
import { Question } from '../../../src/contracts/run.js'
import { NO_USAGE } from '../../../src/rules/budget.js'
import { blockOf, diagnosisQuestion } from '../../../src/rules/phase/block-of.js'
import { boundGuidance } from '../../../src/rules/phase/bound-guidance.js'
import { completionNote } from '../../../src/rules/phase/completion-note.js'
import {
  gateEntries,
  greenEntries,
  planEntries,
  redEntries,
  researchEntries,
  reviewEntries,
} from '../../../src/rules/phase/entries.js'
import {
  blockedQuestion,
  mergeQuestion,
  planQuestion,
  takeOverQuestion,
} from '../../../src/rules/phase/phase-questions.js'
import { projectPhase } from '../../../src/rules/phase/project-phase.js'
import { taskRecord } from '../../../src/rules/phase/task-record.js'
import { TASK_STATUSES } from '../../../src/rules/phase/words.js'
import { someFile } from '../../support/phase-answers.js'
import { someOutline, someSnapshot } from '../../support/phase-tasks.js'

const at = { task: 'TASK-001', step: 'develop', round: 2 }
const change = (path: string, action: FileChange['action'] = 'create'): FileChange => ({
  action,
  path,
  lines_added: 1,
  lines_deleted: 0,
})
const told: ToldExtract = {
  summary: 'done',
  decisions: [{ description: 'Use a map', reason: 'fast', impact: 'src/a.ts' }],
  suggestions: [{ suggestion: 'Try nothing', for: 'verify' }],
  files: [{ file: 'src/a.ts', purpose: 'the map' }],
  blocked: null,
}
const silent = { ...told, decisions: [], suggestions: [], files: [] }

/** Without what is the same in all of an agent's entries. */
const fields = (entries: ContextEntry[]) => entries.map(({ id: _id, agent: _agent, task: _task, ...rest }) => rest)

describe('what agents leave', () => {
  it('of a planner', () => {
    expect(fields(planEntries(at, 3))).toEqual([
      {
        kind: 'decision',
        description: 'Created task breakdown',
        reason: 'Based on user instruction analysis',
        impact: '3 tasks identified',
      },
      { kind: 'complete', phase: 'planning', lines: ['Total tasks: 3'] },
    ])
  })

  it('of a tester is its files, by what it says they are for or as TDD test files', () => {
    const worked = {
      told,
      changes: [change('src/a.ts'), change('test/a.test.ts')],
      files: ['test/a.test.ts'],
      failing: 2,
    }
    expect(fields(redEntries(at, worked))).toEqual([
      { kind: 'decision', ...told.decisions[0] },
      { kind: 'file_change', action: 'create', file: 'src/a.ts', purpose: 'the map' },
      { kind: 'file_change', action: 'create', file: 'test/a.test.ts', purpose: 'TDD test file' },
      { kind: 'suggestion', ...told.suggestions[0] },
      { kind: 'complete', phase: 'tdd', lines: ['Test file: test/a.test.ts', 'Tests failing: 2'] },
    ])
  })

  it("of a coder who tells no decision is the seed's", () => {
    const worked = {
      told: silent,
      changes: [change('src/a.ts', 'rename'), change('src/b.ts', 'delete')],
      changedFiles: 2,
    }
    expect(fields(greenEntries(at, worked))).toEqual([
      { kind: 'file_change', action: 'modify', file: 'src/a.ts', purpose: 'Feature implementation' },
      { kind: 'file_change', action: 'delete', file: 'src/b.ts', purpose: 'Feature implementation' },
      {
        kind: 'decision',
        description: 'Implementation approach',
        reason: 'To pass all test cases',
        impact: 'src/a.ts, src/b.ts',
      },
      { kind: 'complete', phase: 'develop', lines: ['Implementation files: 2'] },
    ])
  })

  it('of a person has no words of an agent', () => {
    const worked = { told: null, changes: [change('src/a.ts')], changedFiles: 1 }
    expect(fields(greenEntries(at, worked)).map(({ kind }) => kind)).toEqual(['file_change', 'decision', 'complete'])
  })

  it('of the gates, a review and a researcher', () => {
    const review = {
      outcome: 'approved',
      overallScore: 8,
      blockers: [],
      inconsistencies: [],
      recommendations: ['docs'],
    } as const
    const scores = { codeQuality: 8, bestPractices: 8, security: 8, documentation: 8 }
    const whole = { ...review, blockers: [], inconsistencies: [], recommendations: ['docs'], scores }
    expect(fields(gateEntries(at, 'coverage 85 %'))[0]).toMatchObject({
      reason: 'coverage 85 %',
      impact: 'Proceed to accept phase',
    })
    expect(fields(reviewEntries(at, whole))[1]).toEqual({
      kind: 'accept_complete',
      score: 8,
      approved: true,
      recommendations: ['docs'],
    })
    expect(fields(researchEntries(at, { summary: 's', recommendations: ['r'] }))[0]).toMatchObject({
      lines: ['s', 'r'],
    })
  })

  it('is named by where it comes from, fits its contract, and is bounded', () => {
    const changes = Array.from({ length: 500 }, (_, index) => change(`src/${'x'.repeat(280)}${index}.ts`))
    const entries = greenEntries(at, { told, changes, changedFiles: 500 })
    expect(entries.map(({ id }) => id).slice(0, 2)).toEqual(['TASK-001/develop-2/1', 'TASK-001/develop-2/2'])
    expect(entries.length).toBeLessThan(20)
    for (const entry of entries) expect(ContextEntry.safeParse(entry).error).toBeUndefined()
  })
})

describe('why a person is asked', () => {
  const ask = (because: Parameters<typeof blockOf>[0]['ask']['because'], type: BlockInfo['type'] = 'information') =>
    ({ do: 'ask', phase: 'develop', because, type }) as const
  const said: BlockInfo = { reason: 'Which format?', type: 'decision', missingInfo: ['the format'] }

  it.each<[string, Parameters<typeof blockOf>[0], BlockInfo]>([
    [
      'tests stay red',
      { ask: ask('still_red'), complaint: '1 failed', said: null },
      {
        reason: 'Tests still failing after implementation',
        type: 'information',
        missingInfo: ['Implementation approach guidance', '1 failed'],
      },
    ],
    ['an agent says so', { ask: ask('blocked'), complaint: '1 failed', said }, { ...said, type: 'information' }],
    [
      'gates failed too often',
      { ask: ask('fail', 'decision'), complaint: 'lint failed', said: null },
      { reason: 'lint failed', type: 'decision', missingInfo: [] },
    ],
    [
      'nothing is known',
      { ask: ask('failed', 'decision'), complaint: null, said: null },
      { reason: 'The agent could not be asked', type: 'decision', missingInfo: [] },
    ],
    [
      'nothing else is known',
      { ask: ask('unverified', 'decision'), complaint: null, said: null },
      { reason: 'unverified', type: 'decision', missingInfo: [] },
    ],
  ])('%s', (_, facts, block) => {
    expect(blockOf(facts)).toEqual(block)
  })

  it('a researcher hears what was measured and what the agent lacks', () => {
    expect(diagnosisQuestion({ ask: { phase: 'develop' }, complaint: '1 failed', said })).toBe(
      'Why does the develop phase of this task not succeed, and what exactly should the next attempt do?\n' +
        'The last attempt: 1 failed\nThe agent says: Which format?\nIt lacks: the format',
    )
  })
})

describe('questions', () => {
  const block: BlockInfo = { reason: 'stuck', type: 'information', missingInfo: ['a hint'] }
  const outlines = [someOutline(1), someOutline(2, { dependencies: ['TASK-001'] })]

  it.each([
    ['a plan', planQuestion(outlines, 1), 'plan', 'reject'],
    ['a plan made again', planQuestion(outlines, 2), 'plan-2', 'reject'],
    ['a merge', mergeQuestion({ changedFiles: 3, reason: 'all good', diff: 'change.diff' }), 'merge', 'reject'],
    ['a blocked task', blockedQuestion(someOutline(1), block, 2), 'TASK-001-blocked-2', 'skip'],
    [
      'a task taken over',
      takeOverQuestion(someOutline(1), { commit: 'abc', name: '1-1', trouble: null }),
      'TASK-001-take-over-1-1',
      '',
    ],
  ])('about %s have an id, and a default that grants nothing', (_, draft, id, usual) => {
    expect(draft).toMatchObject({ id, default: usual })
    const asked = { ...draft, deadline: '2026-01-01T00:00:00Z', answer: null, answered_by: null }
    expect(Question.safeParse(asked).success).toBe(true)
    if (draft.options.length > 0) expect(draft.options.map(({ key }) => key)).toContain(draft.default)
  })

  it('show the plan with its dependencies', () => {
    expect(planQuestion(outlines, 1).detail).toBe(
      'TASK-001 Task 1 (coder, priority 5)\nTASK-002 Task 2 (coder, priority 5, after TASK-001)',
    )
  })
})

describe('guidance', () => {
  it('keeps the newest, in the order it was said', () => {
    expect(boundGuidance(['a', 'b'])).toEqual(['a', 'b'])
    expect(boundGuidance(Array.from({ length: 60 }, (_, index) => `${index}`)).slice(0, 1)).toEqual(['40'])
    expect(boundGuidance(['old', 'x'.repeat(5_000)])).toEqual([`${'x'.repeat(3_997)}…`])
  })

  it('never has more than its bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 3_000 }), { maxLength: 10 }), (texts) => {
        expect(Buffer.byteLength(boundGuidance(texts).join(''))).toBeLessThanOrEqual(4_000)
      }),
      { numRuns: 30 },
    )
  })
})

describe("a task's record", () => {
  it.each(TASK_STATUSES.map((status) => [status] as const))('of one that is %s has an honest word', (status) => {
    const record = taskRecord({
      outline: someOutline(1),
      status,
      snapshot: null,
      block: null,
      note: '',
      usage: NO_USAGE,
    })
    const ends = ['completed', 'blocked', 'skipped', 'failed']
    expect(record.status).toBe(status === 'waiting' ? 'blocked' : ends.includes(status) ? status : 'not_started')
  })

  it('of one that was begun and not ended is unfinished', () => {
    const snapshot = someSnapshot()
    expect(
      taskRecord({ outline: someOutline(1), status: 'pending', snapshot, block: null, note: '', usage: NO_USAGE })
        .status,
    ).toBe('unfinished')
  })

  it('has a commit only when something was changed', () => {
    const of = (commit: string) =>
      taskRecord({
        outline: someOutline(1),
        status: 'completed',
        snapshot: someSnapshot({ commit }),
        block: null,
        note: '',
        usage: NO_USAGE,
      })
    expect(of(someSnapshot().base).commit).toBeNull()
    expect(of('b'.repeat(40)).commit).toBe('b'.repeat(40))
  })

  it.each([
    ['coder', 'green, gates passed, reviewed ?/10'],
    ['tester', '0 files of tests, seen red'],
    ['reviewer', 'reviewed ?/10'],
    ['executor', 'the gates passed'],
    ['researcher', 'answered'],
    ['planner', 'planned'],
  ] as const)('of a %s says what it came to', (agentType, note) => {
    expect(completionNote(someOutline(1, { agentType }), someSnapshot())).toBe(note)
  })
})

describe("a run's folder", () => {
  it('has no empty files, and of the artifacts only its own', () => {
    const snapshot = someSnapshot()
    const kept = [someFile('.openmatrix/quality.json'), someFile('other.json')]
    const memory = planEntries({ task: 'TASK-000', step: 'plan', round: 1 }, 1)
    const files = projectPhase({
      memory,
      tasks: new Map([['TASK-001', { snapshot }]]),
      run: { state: { artifacts: kept } },
    })
    expect(files.map(({ path }) => path)).toEqual([
      '.openmatrix/.gitignore',
      '.openmatrix/context.md',
      '.openmatrix/quality.json',
    ])
    const none = projectPhase({ memory: [], tasks: new Map(), run: { state: { artifacts: [] } } })
    expect(none).toEqual([])
  })
})
