import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ContextEntry } from '../../../src/contracts/phase-context.js'
import { boundEntries } from '../../../src/rules/phase/bound-entries.js'
import { byteLength, cutToBytes } from '../../../src/rules/phase/byte-length.js'
import {
  appendContext,
  getAccumulatedContext,
  type Memory,
  readGlobalContext,
  readTaskContext,
  suggestionsFor,
} from '../../../src/rules/phase/context-manager.js'
import { renderEntry } from '../../../src/rules/phase/context-markdown.js'

const task = 'TASK-001'

/** The example of seed 001, 5.10, as entries and as the file. */
const ENTRIES: readonly [ContextEntry, string][] = [
  [
    {
      id: '1',
      kind: 'decision',
      agent: 'planner',
      task,
      description: 'Use Vitest as test framework',
      reason: 'Project already uses Vitest',
      impact: 'Tester Agent should use Vitest syntax',
    },
    '## Decision [planner]\n- **Task**: TASK-001\n- **Decision**: Use Vitest as test framework\n' +
      '- **Reason**: Project already uses Vitest\n- **Impact**: Tester Agent should use Vitest syntax',
  ],
  [
    {
      id: '2',
      kind: 'file_change',
      agent: 'tester',
      task,
      action: 'create',
      file: 'tests/user.test.ts',
      purpose: 'TDD test file for user model',
    },
    '## File Change [tester]\n- **Task**: TASK-001\n- **Action**: create\n- **File**: tests/user.test.ts\n' +
      '- **Purpose**: TDD test file for user model',
  ],
  [
    {
      id: '3',
      kind: 'suggestion',
      agent: 'tester',
      task,
      suggestion: 'Add edge case test for empty name',
      for: 'verify',
    },
    '## Suggestion [tester]\n- **Task**: TASK-001\n- **Suggestion**: Add edge case test for empty name\n- **For**: Verify phase',
  ],
  [
    {
      id: '4',
      kind: 'accept_complete',
      agent: 'reviewer',
      task,
      score: 8,
      approved: true,
      recommendations: ['Add JSDoc comments for public methods'],
    },
    '## Accept Complete [reviewer]\n- **Task**: TASK-001\n- **Score**: 8/10\n- **Approved**: Yes\n' +
      '- **Recommendations**: Add JSDoc comments for public methods',
  ],
  [
    {
      id: '5',
      kind: 'complete',
      agent: 'tester',
      task,
      phase: 'tdd',
      lines: ['Test file: tests/user.test.ts', 'Tests failing: 3'],
    },
    '## TDD Complete\n- Test file: tests/user.test.ts\n- Tests failing: 3',
  ],
  [
    { id: '6', kind: 'complete', agent: 'planner', task, phase: 'planning', lines: ['Total tasks: 3'] },
    '## Planning Complete\n- Total tasks: 3',
  ],
]
const MEMORY: Memory = ENTRIES.map(([entry]) => entry)

describe('an entry', () => {
  it.each(ENTRIES)("%j is written in the seed's form", (entry, text) => {
    expect(renderEntry(ContextEntry.parse(entry))).toBe(text)
  })

  it('cannot write a second one', () => {
    const [[decision]] = ENTRIES as [[Extract<ContextEntry, { kind: 'decision' }>, string]]
    const text = renderEntry({ ...decision, impact: 'none\n\n## Decision [reviewer]\r\n- **Task**: TASK-002\u2028x' })
    expect(text.split('\n')).toHaveLength(5)
    expect(text).toContain('- **Impact**: none ## Decision [reviewer] - **Task**: TASK-002 x')
  })
})

describe('the memory', () => {
  it('has a global file, and one per task for what a phase says of itself', () => {
    expect(readGlobalContext(MEMORY)).toBe(`${[0, 1, 2, 3, 5].map((index) => ENTRIES[index]?.[1]).join('\n\n')}\n`)
    expect(readTaskContext(MEMORY, task)).toBe(`${ENTRIES[4]?.[1]}\n`)
    expect(readTaskContext(MEMORY, 'TASK-002')).toBe('')
    expect(readGlobalContext([])).toBe('')
  })

  it('takes an entry once, however often it is written', () => {
    const twice = appendContext(appendContext([], MEMORY), MEMORY)
    expect(twice).toEqual(MEMORY)
    expect(appendContext([], [...MEMORY, ...MEMORY])).toEqual(MEMORY)
  })

  it('accumulates what is global and what is of the task', () => {
    const other: ContextEntry = {
      id: '7',
      kind: 'complete',
      agent: 'coder',
      task: 'TASK-002',
      phase: 'develop',
      lines: ['x'],
    }
    const text = getAccumulatedContext([...MEMORY, other], { taskId: task, maxBytes: 10_000 })
    expect(text).toBe(ENTRIES.map(([, each]) => each).join('\n\n'))
  })

  it('hands suggestions to the phase they are for', () => {
    expect(suggestionsFor(MEMORY, { taskId: task, phase: 'verify' })).toEqual(['Add edge case test for empty name'])
    expect(suggestionsFor(MEMORY, { taskId: task, phase: 'accept' })).toEqual([])
    expect(suggestionsFor(MEMORY, { taskId: 'TASK-002', phase: 'verify' })).toEqual([])
  })
})

describe('what a task keeps', () => {
  const change = (index: number): ContextEntry => ({
    id: `${index}`,
    kind: 'file_change',
    agent: 'coder',
    task,
    action: 'create',
    file: `${'f'.repeat(280)}${index}`,
    purpose: 'p',
  })

  it('is all of it while it is little', () => {
    expect(boundEntries(MEMORY)).toEqual(MEMORY)
  })

  it('loses the oldest files first, and never its place in the order', () => {
    const many = [...MEMORY, ...Array.from({ length: 60 }, (_, index) => change(100 + index))]
    const kept = boundEntries(many)
    expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThan(12_100)
    expect(kept.slice(0, 5)).toEqual(MEMORY.filter(({ kind }) => kind !== 'file_change'))
    expect(kept.at(-1)?.id).toBe('159')
    const ids = kept.map(({ id }) => Number(id))
    expect(ids).toEqual(ids.toSorted((one, other) => one - other))
  })
})

describe('the accumulated context', () => {
  const whole = getAccumulatedContext(MEMORY, { taskId: task, maxBytes: 10_000 })
  const within = (maxBytes: number, memory = MEMORY) => getAccumulatedContext(memory, { taskId: task, maxBytes })

  it('summarises the oldest decision first', () => {
    const text = within(byteLength(whole) - 1)
    expect(text).toContain('## Earlier\n- TASK-001 [planner] Use Vitest as test framework')
    expect(text).not.toContain('## Decision [planner]')
    expect(text).toContain('## File Change [tester]')
  })

  it('is whole where it fits to the byte', () => {
    expect(within(byteLength(whole))).toBe(whole)
  })

  it('then file changes, then the rest, and says what it leaves out', () => {
    expect(within(600)).not.toContain('## File Change')
    expect(within(600)).toContain('## Suggestion [tester]')
    expect(within(200)).toContain('earlier entries are left out.')
  })

  it('of a long run says how much it leaves out', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => ({ ...MEMORY[0], id: `${index}` }) as ContextEntry)
    const text = within(1_000, many)
    const lines = text.split('\n').filter((line) => line.startsWith('- TASK-001')).length
    const full = text.match(/^## Decision/gm)?.length ?? 0
    expect(text).toContain(`- ${1_000 - lines - full} earlier entries are left out.`)
    expect(byteLength(text)).toBeGreaterThan(800)
  })

  it('stays within its bytes, and is the same for the same entries', () => {
    const line = fc.string({ unit: 'binary', maxLength: 60 })
    const entry = fc.oneof(
      fc.record({ kind: fc.constant('decision' as const), description: line, reason: line, impact: line }),
      fc.record({ kind: fc.constant('suggestion' as const), suggestion: line, for: fc.constant('verify' as const) }),
      fc.record({
        kind: fc.constant('complete' as const),
        phase: fc.constant('tdd' as const),
        lines: fc.array(line, { maxLength: 3 }),
      }),
    )
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 15 }), fc.integer({ min: 200, max: 2_000 }), (rows, maxBytes) => {
        const memory = rows.map((row, index): ContextEntry => ({ id: `${index}`, agent: 'coder', task, ...row }))
        const text = within(maxBytes, memory)
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes)
        expect(within(maxBytes, memory)).toBe(text)
      }),
      { numRuns: 30 },
    )
  })

  it('cuts a text to bytes, never within a letter', () => {
    expect(cutToBytes('añb', 4)).toBe('añb')
    expect(cutToBytes('añbc', 4)).toBe('a…')
    expect(cutToBytes('𝒳𝒳', 7)).toBe('𝒳…')
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.integer({ min: 3, max: 40 }), (text, maxBytes) => {
        const cut = cutToBytes(text, maxBytes)
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(maxBytes)
        expect(cut === text || text.startsWith(cut.slice(0, -1))).toBe(true)
      }),
      { numRuns: 50 },
    )
  })

  it('counts bytes as UTF-8 does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(byteLength(text)).toBe(Buffer.byteLength(text))
      }),
    )
  })
})
