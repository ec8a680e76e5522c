import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OpenSpecSession, QuickResume } from '../../../src/contracts/openspec.js'
import { RESUME_END } from '../../../src/rules/openspec/render-session.js'
import { writeContext } from '../../../src/rules/openspec/write-context.js'

type ContextUpdate = Parameters<typeof writeContext>[1]
const session = (round: number, parts: Partial<OpenSpecSession> = {}): OpenSpecSession => ({
  id: `refine/add-login 0189 round ${round}`,
  at: `2025-11-22T03:1${round}:45.000Z`,
  completed_tasks: [],
  scores: [`round ${round}: overall 78, security 75, quality 80, performance 79: ITERATE`],
  decisions: [],
  changes: ['src/db.py: parameters'],
  issues: ['SQL_INJECTION src/db.py:42'],
  duration: '2 min',
  ...parts,
})
const resume: QuickResume = {
  tldr: 'Round 1 of 5: 78 points.',
  task: '1.2 Add login',
  doing: 'waiting for round 2',
  files: ['src/db.py'],
  blockers: [],
  next_steps: ['fix the Critical issues'],
}
const update = (...rounds: number[]): ContextUpdate => ({
  change: 'add-login',
  sessions: rounds.map((round) => session(round)),
  quick_resume: resume,
})
const write = (text: string, wanted: ContextUpdate = update(1)) => {
  const { text: after, complaint } = writeContext(text, wanted)
  expect(complaint).toBeNull()
  return after
}
const headings = (text: string) => text.split(/\r\n|\r|\n/).filter((line) => line.startsWith('## '))

describe('context.md', () => {
  it('begins with a session and a Quick Resume', () => {
    expect(write('')).toBe(`# Context: add-login

## Session 2025-11-22 03:11
<!-- gauntlet: refine/add-login 0189 round 1 -->

### Completed Tasks
- none

### Validation Scores
- round 1: overall 78, security 75, quality 80, performance 79: ITERATE

### Key Decisions
- none

### Code Changes
- src/db.py: parameters

### Issues Encountered
- SQL_INJECTION src/db.py:42

### Duration
- 2 min

## Quick Resume
<!-- gauntlet: from here to the next mark rewritten by every run -->

**TL;DR**: Round 1 of 5: 78 points.

**Last Working State**
- Current task: 1.2 Add login
- What was being done: waiting for round 2
- Files modified: src/db.py
- Compile status: not measured
- Test status: not measured
- Blockers: none

**Next Steps**
1. fix the Critical issues
<!-- gauntlet: end of quick resume -->
`)
  })

  it('gets a session per round, before the one Quick Resume at its end', () => {
    const twice = write(write('# Mine\n'), update(1, 2))
    expect(headings(twice)).toEqual(['## Session 2025-11-22 03:11', '## Session 2025-11-22 03:12', '## Quick Resume'])
    expect(write('# Mine\n', update(1, 2))).toBe(twice)
    expect(twice.startsWith('# Mine\n\n## Session')).toBe(true)
  })

  it('keeps what a person wrote below the Quick Resume, and then appends after it', () => {
    const first = `${write('# Mine\n')}\nNever forget this.\n`
    const second = write(first, update(1, 2))
    expect(second.startsWith(first)).toBe(true)
    expect(headings(second)).toEqual(['## Session 2025-11-22 03:11', '## Quick Resume', '## Session 2025-11-22 03:12'])
  })

  it('keeps what a person changed in a session', () => {
    const edited = write('').replace('- none\n', '- none, alas\n')
    expect(write(edited)).toBe(edited)
  })

  it("rewrites another tool's Quick Resume where it stands, up to the next heading", () => {
    const foreign = '# Mine\n\n## Quick Resume\n\nold TL;DR\n\n- old\n\n## Notes\n\nmine\n'
    const after = write(foreign)
    expect(after).toMatch(/^# Mine\n\n## Quick Resume\n/)
    expect(after).not.toContain('old')
    expect(after).toContain(`${RESUME_END}\n\n## Notes\n\nmine\n\n## Session`)
  })

  it.each([
    ['CRLF', '# Mine\r\n\r\ntext\r\n'],
    ['CR', '# Mine\r\rtext\r'],
    ['a BOM', '\uFEFF# Mine\n'],
    ['only a BOM', '\uFEFF'],
    ['no final line end', '# Mine\n\ntext'],
    ['blank lines at the end', '# Mine\n\n\n\n'],
    ['trailing blanks and tabs', '# Mine  \n\ttext\t \n'],
    ['a heading in a code block', '```\n## Quick Resume\n```\n'],
    ['a heading in a comment', '<!--\n## Quick Resume\n-->\n'],
    ['a deeper heading of that name', '### Quick Resume\n\nmine\n'],
  ])('leaves %s as it is, and uses its line ends', (_, text) => {
    const after = write(text)
    expect(after.startsWith(text)).toBe(true)
    expect(write(after)).toBe(after)
    const [eol] = /\r\n|\r|\n/.exec(text) ?? ['\n']
    expect(after.slice(text.length).replaceAll(eol, '')).not.toMatch(/[\r\n]/)
  })

  it('is not touched where that would spoil it, with one line that says why', () => {
    for (const [text, complaint] of [
      ['## Quick Resume\n\n## Quick Resume\n', 'expected one "## Quick Resume", found 2'],
      ['# Mine\n```\ncode\n', 'expected every code block to be closed, found one that is open at the end'],
      ['a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n', 'line 2: expected no merge conflict, found its marks'],
    ] as const) {
      expect(writeContext(text, update(1))).toEqual({ text, complaint })
    }
  })

  it('shows what agents say as text: nothing in it is a heading, a mark or a block', () => {
    const evil = ['## Quick Resume', RESUME_END, '```\nopen', '<!-- open', 'a\r\n## Session 1', '\u202egpj.exe', '']
    const wanted = { ...update(), sessions: [session(1, { issues: evil, changes: evil, scores: evil })] }
    const after = write('# Mine\n', {
      ...wanted,
      quick_resume: { ...resume, tldr: '## Quick Resume', blockers: evil, files: evil },
    })
    expect(headings(after)).toEqual(['## Session 2025-11-22 03:11', '## Quick Resume'])
    expect(after.split('\n').filter((line) => line === RESUME_END)).toHaveLength(1)
    expect(write(after, { ...wanted, quick_resume: resume })).not.toContain('evil')
  })
})

describe('for any file', () => {
  const line = fc.oneof(
    fc.constantFrom(
      '# Title',
      '## Notes',
      '## Quick Resume',
      'Quick Resume',
      '----',
      '```',
      '~~~',
      '<!-- x -->',
      '- [ ] a',
      '',
    ),
    fc.string({ maxLength: 20 }).map((text) => text.replaceAll(/[\r\n]/g, '')),
  )
  const file = fc
    .tuple(fc.array(line, { maxLength: 25 }), fc.constantFrom('\n', '\r\n', '\r'), fc.boolean(), fc.boolean())
    .map(([lines, eol, hasMark, hasEnd]) => `${hasMark ? '\uFEFF' : ''}${lines.join(eol)}${hasEnd ? eol : ''}`)
  const anyUpdate = fc.subarray([1, 2, 3]).map((rounds) => update(...rounds))

  it('what people wrote outside the Quick Resume stays byte for byte, and a second time changes nothing', () => {
    fc.assert(
      fc.property(file, anyUpdate, (text, wanted) => {
        const { text: after, complaint } = writeContext(text, wanted)
        if (complaint !== null) {
          expect(after).toBe(text)
          return
        }
        expect(writeContext(after, wanted)).toEqual({ text: after, complaint: null })
        const at = /(?:^|[\r\n])\uFEFF? {0,3}(?:## +)?Quick Resume[ \t#]*(?=[\r\n]|$)/i.exec(text)
        if (at === null) expect(after.startsWith(text)).toBe(true)
        else expect(after.startsWith(text.slice(0, at.index))).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('what stands behind the Quick Resume stays too', () => {
    fc.assert(
      fc.property(file, file, anyUpdate, (before, behind, wanted) => {
        const first = writeContext(before, update(1))
        if (first.complaint !== null) return
        const text = `${first.text}${behind.replace('\uFEFF', '')}`
        const { text: after, complaint } = writeContext(text, wanted)
        if (complaint === null) expect(after).toContain(behind.replace('\uFEFF', ''))
      }),
      { numRuns: 500 },
    )
  })
})
