import { describe, expect, it } from 'vitest'
import { OpenSpecEdit } from '../../../src/contracts/openspec.js'
import type { RefineInput, RefineRound } from '../../../src/contracts/refine.js'
import type { RunState } from '../../../src/contracts/run.js'
import { PRESETS } from '../../../src/rules/aggregate-settings.js'
import { applyEdit } from '../../../src/rules/openspec/apply-edit.js'
import { projectOpenSpec } from '../../../src/rules/refine/project-openspec.js'
import { openProgress } from '../../../src/rules/refine/refine-progress.js'
import { someFile } from '../../support/phase-answers.js'

const task = { number: '1.2', text: 'Check passwords' }
const input = {
  key: 'add-1.2',
  title: 'Check passwords',
  base: 'a'.repeat(40),
  tech_stack: null,
  openspec: { change: 'add', folder: 'openspec/changes/add', documents: [], task },
  ...PRESETS.standard,
} as unknown as RefineInput
const state = { run_id: 'r', verdict: null, questions: [] } as unknown as RunState

const round = (number: number, parts: Partial<RefineRound> = {}): RefineRound => ({
  round: number,
  commit: `${number}`.repeat(40),
  changed_files: 1,
  is_unchanged: false,
  scores: { security: 70, quality: 70, performance: 70 },
  overall: 70,
  recommendation: 'ITERATE',
  issue_counts: { critical: 0, high: 3, medium: 0, low: 0 },
  reason: 'too many High issues (3, at most 2)',
  next_action: 'Go on',
  criticals: [],
  inconsistencies: [],
  refuted: 0,
  changes: ['bound the parameters'],
  feedback: someFile('f'),
  aggregate: someFile('a'),
  reviews: { security: someFile('s'), quality: someFile('q'), performance: someFile('p') },
  ended_at: `2025-11-22T03:1${number}:30.000Z`,
  ...parts,
})
const progressOf = (rounds: RefineRound[], rest: object = {}) => ({
  ...openProgress({ ...input, ...rest }, '2025-11-22T03:10:00.000Z'),
  rounds,
})

describe('what a run wants in the files of its change', () => {
  it('is nothing before a round was judged, and nothing without a change', () => {
    expect(projectOpenSpec(progressOf([]), state)).toEqual([])
    expect(projectOpenSpec(progressOf([round(1)], { openspec: null }), state)).toEqual([])
  })

  it('is a session per round with the trend so far, and ticks nothing that has not passed', () => {
    const [context, ...others] = projectOpenSpec(progressOf([round(1), round(2, { overall: 78.336 })]), state)
    expect(others).toEqual([])
    expect(context).toMatchObject({ path: 'openspec/changes/add/context.md' })
    const edit = OpenSpecEdit.parse(context !== undefined && 'openspec' in context ? context.openspec : null)
    if (edit.kind !== 'context') throw new Error(edit.kind)
    expect(edit.sessions.map(({ scores }) => scores)).toEqual([
      ['round 1: overall 70, security 70, quality 70, performance 70: ITERATE'],
      [
        'round 1: overall 70, security 70, quality 70, performance 70: ITERATE',
        'round 2: overall 78.34 (+8.34), security 70, quality 70, performance 70: ITERATE',
      ],
    ])
    expect(edit.sessions.map(({ duration }) => duration)).toEqual(['1 min 30 s', '1 min 00 s'])
    expect(edit.quick_resume).toMatchObject({
      tldr: 'under way: round 2 of 5, overall 78.34. too many High issues (3, at most 2)',
      task: '1.2 Check passwords',
      doing: 'the refine loop (run refine/add-1.2) goes on with round 3',
      next_steps: ['Go on', 'best round so far: 2, commit 222222222222'],
    })
  })

  it('ticks the task that passed', () => {
    const files = projectOpenSpec(progressOf([round(1, { recommendation: 'PASS' })]), { ...state, verdict: 'PASS' })
    expect(files[1]).toEqual({ path: 'openspec/changes/add/tasks.md', openspec: { kind: 'tick', task } })
  })

  it('adds to the file what is new, and never changes a session that stands there', () => {
    const rounds = [round(1), round(2, { scores: { security: 55, quality: 70, performance: 70 } }), round(3)]
    const texts = rounds.map((_, at) => {
      const [file] = projectOpenSpec(progressOf(rounds.slice(0, at + 1)), state)
      return file
    })
    let text = '# Mine\n'
    for (const file of texts) {
      if (file === undefined || !('openspec' in file)) throw new Error('no edit')
      const sessions = text.slice(0, Math.max(0, text.indexOf('## Quick Resume')))
      const { text: next, complaint } = applyEdit(text, file.openspec)
      expect(complaint).toBeNull()
      expect(next.startsWith(sessions)).toBe(true)
      expect(applyEdit(next, file.openspec).text).toBe(next)
      text = next
    }
    expect(text.match(/^## Session/gm)).toHaveLength(3)
    expect(text).toContain('- security went back from 70 to 55')
  })
})
