import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstOpenTask, taskLines, taskNamed, tickTask } from '../../../src/rules/openspec/tasks.js'

describe('a box', () => {
  it.each<[line: string, isDone: boolean | null]>([
    ['- [x] 1.1 Add', true],
    ['- [X] 1.1 Add', true],
    ['- [ x ] 1.1 Add', true],
    ['* [x] 1.1 Add', true],
    ['1. [x] 1.1 Add', true],
    ['- [ ] 1.1 Add', false],
    ['- [] 1.1 Add', false],
    ['- [~] 1.1 Add', false],
    ['- [/] 1.1 Add', false],
    ['- [-] 1.1 Add', false],
    ['- [✓] 1.1 Add', false],
    ['- [v] 1.1 Add', false],
    ['- [xx] 1.1 Add', false],
    ['- [done] 1.1 Add', false],
    ['- [🏗️] 1.1 Add', false],
    ['  - [ ] 1.1 Add', false],
    ['- [x](https://example.test) Add', null],
    ['[x] Add', null],
    ['-[x] Add', null],
    ['text - [x] Add', null],
  ])('%s', (line, isDone) => {
    expect(taskLines(`${line}\n`).map((task) => task.isDone)).toEqual(isDone === null ? [] : [isDone])
  })

  it('in a code block or a comment is none', () => {
    expect(taskLines('```\n- [ ] a\n```\n<!--\n- [ ] b\n-->\n~~~~\n~~~\n- [ ] c\n~~~~\n- [ ] d\n')).toMatchObject([
      { text: 'd' },
    ])
    expect(taskLines('- step\n  ```sh\n  - [ ] a\n  ```\n- [ ] b\n')).toMatchObject([{ text: 'b' }])
  })
})

describe('a task', () => {
  it.each<[string, string | null, string]>([
    ['- [ ] 1.1 Add login', '1.1', 'Add login'],
    ['- [ ] Task 1.1: Add login ⏳', '1.1', 'Add login'],
    ['- [x] Task 1.1: Add login ✅', '1.1', 'Add login'],
    ['- [ ] **1.1** Add   login 🏗️', '1.1', 'Add login'],
    ['- [ ] **1.1.** Add login', '1.1', 'Add login'],
    ['- [ ] 3) Add login', '3', 'Add login'],
    ['- [ ] Add login', null, 'Add login'],
    ['- [ ] 2FA for login', null, '2FA for login'],
    ['- [ ]', null, '(no text)'],
  ])('%s', (line, number, text) => {
    expect(taskLines(line)).toMatchObject([{ number, text }])
  })

  it('that is open and first is the next; whatever the mark, nothing is dropped', () => {
    expect(firstOpenTask('- [x] 1.1 A\n- [~] 1.2 B\n- [ ] 1.3 C\n')).toEqual({ number: '1.2', text: 'B' })
    expect(firstOpenTask('- [x] 1.1 A\n')).toBeNull()
    expect(firstOpenTask('nothing to do')).toBeNull()
  })

  it('is named by number or text, when only one fits', () => {
    const text = '- [ ] 1.1 A\n- [ ] 1.2 B\n- [ ] 2.1 B\n'
    expect(taskNamed(text, '1.2')).toEqual({ number: '1.2', text: 'B' })
    expect(taskNamed(text, 'A')).toEqual({ number: '1.1', text: 'A' })
    expect(taskNamed(text, 'B')).toBeNull()
    expect(taskNamed(text, '9')).toBeNull()
  })
})

describe('ticking', () => {
  const tasks = '\uFEFF# Tasks\r\n\r\n- [x] 1.1 A\r\n- [ ] 1.2 B ⏳\r\n  - [ ] note\r\n- [~] 1.3 C'

  it('sets exactly that box, and leaves BOM, line ends and the missing last one', () => {
    expect(tickTask(tasks, { number: '1.2', text: 'B' })).toEqual({
      text: tasks.replace('- [ ] 1.2', '- [x] 1.2'),
      isTicked: true,
      complaint: null,
    })
    expect(tickTask(tasks, { number: '1.3', text: 'C' }).text).toBe(tasks.replace('[~]', '[x]'))
  })

  it('finds a task that was renumbered, or reworded, meanwhile', () => {
    expect(tickTask('- [ ] 2.1 B\n', { number: '1.2', text: 'B' }).text).toBe('- [x] 2.1 B\n')
    expect(tickTask('- [ ] 1.2 B, better\n', { number: '1.2', text: 'B' }).text).toBe('- [x] 1.2 B, better\n')
  })

  it('twice changes nothing', () => {
    const once = tickTask(tasks, { number: '1.2', text: 'B' }).text
    expect(tickTask(once, { number: '1.2', text: 'B' })).toEqual({ text: once, isTicked: true, complaint: null })
  })

  it.each([
    ['is gone', 'no boxes\n', 'expected one box for task 1.2, found none'],
    ['is there twice', '- [ ] 1.2 B\n- [ ] 1.2 B\n', 'expected one box for task 1.2, found 2'],
    [
      'stands in a file with a merge conflict',
      '<<<<<<< ours\n- [ ] 1.2 B\n',
      'line 1: expected no merge conflict, found its marks',
    ],
    [
      'stands before an open code block',
      '- [ ] 1.2 B\n```\n',
      'expected every code block to be closed, found one that is open at the end',
    ],
    [
      'stands before an open comment',
      '- [ ] 1.2 B\n<!-- x\n',
      'expected every comment to be closed, found one that is open at the end',
    ],
  ])('a task that %s is left alone, with one line that says why', (_, text, complaint) => {
    expect(tickTask(text, { number: '1.2', text: 'B' })).toEqual({ text, isTicked: false, complaint })
  })

  it('changes one box and nothing else, in any file', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '- [ ] 1.2 B',
        '- [x] 1.1 A',
        '* [~] 2 C',
        '# Title',
        '',
        '```',
        '    - [ ] code',
        'text',
        '- [ ] 1.2 B',
      ),
      fc.string({ maxLength: 20 }),
    )
    const file = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 20 })
    fc.assert(
      fc.property(file, fc.boolean(), (lines, hasMark) => {
        const text = `${hasMark ? '\uFEFF' : ''}${lines.map((pair) => pair.join('')).join('')}`
        const { text: after, isTicked } = tickTask(text, { number: '1.2', text: 'B' })
        if (!isTicked) expect(after).toBe(text)
        const before = taskLines(text)
        expect(taskLines(after).filter((task, at) => task.isDone !== before[at]?.isDone).length).toBeLessThanOrEqual(1)
        expect(after.replaceAll(/\[[^\]]*\]/g, '[]')).toBe(text.replaceAll(/\[[^\]]*\]/g, '[]'))
      }),
    )
  })
})
