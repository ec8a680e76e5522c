import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applyHunks, unapplyHunks } from '../../../src/rules/review/apply-hunks.js'
import { parseDiff } from '../../../src/rules/review/diff.js'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gauntlet-apply-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** git's own diff of two texts. */
function hunksOf(before: string, after: string, context = 3) {
  writeFileSync(join(folder, 'before'), before)
  writeFileSync(join(folder, 'after'), after)
  const args = ['diff', '--no-index', `-U${context}`, 'before', 'after']
  try {
    execFileSync('git', args, { cwd: folder, stdio: 'pipe' })
    return []
  } catch (error) {
    const { stdout } = error as { stdout: Buffer }
    return parseDiff(stdout.toString().replaceAll('b/after', 'b/before')).files[0]?.hunks ?? []
  }
}

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}\n`).join('')

describe('a patch of git', () => {
  it.each([
    ['a changed line', 'a\nb\nc\n', 'a\nB\nc\n'],
    ['lines at both ends', 'a\nb\nc\n', 'x\na\nb\nc\ny\n'],
    ['several hunks', numbered(40), numbered(40).replace('line 3\n', '').replace('line 30', 'LINE 30')],
    ['a file that becomes empty', 'a\nb\n', ''],
    ['a file that was empty', '', 'a\nb\n'],
    ['an end of line given', 'a\nb', 'a\nb\n'],
    ['an end of line taken', 'a\nb\n', 'a\nb'],
    ['no end of line on either side', 'a\nb', 'a\nc'],
    ['carriage returns', 'a\r\nb\r\n', 'a\r\nc\r\n'],
    ['empty lines', '\n\na\n\n\n', '\na\n\nb\n\n'],
  ])('goes forward and back: %s', (_, before, after) => {
    for (const context of [0, 3]) {
      const hunks = hunksOf(before, after, context)
      expect(hunks.length).toBeGreaterThan(0)
      expect(applyHunks(before, hunks)).toBe(after)
      expect(unapplyHunks(after, hunks)).toBe(before)
    }
  })

  it('is refused by a text it is not of', () => {
    const hunks = hunksOf('a\nb\nc\n', 'a\nB\nc\n')
    expect(applyHunks('a\nx\nc\n', hunks)).toBeNull()
    expect(applyHunks('a\n', hunks)).toBeNull()
    expect(unapplyHunks('a\nb\nc\n', hunks)).toBeNull()
  })
})
