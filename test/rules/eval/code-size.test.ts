import { describe, expect, it } from 'vitest'
import { codeSize, isCode } from '../../../src/rules/eval/code-size.js'

describe('the size of code', () => {
  it.each<[what: string, path: string, source: string, size: [number, number, number, number]]>([
    ['nothing', 'a.js', '\n  \n', [0, 0, 0, 0]],
    ['a plain line', 'a.js', 'const a = 1', [1, 0, 0, 0]],
    ['comments', 'a.js', '// if (a)\n/* for\n while */\nconst a = 1 // && b', [1, 0, 0, 0]],
    ['words in texts', 'a.js', 'const a = "if (b) {"; const c = `x ? y : z`', [1, 0, 0, 0]],
    ['a branch', 'a.js', 'function f(a) {\n  if (a) return 1\n}', [3, 1, 1, 1]],
    ['a nested branch', 'a.js', 'function f(a) {\n  if (a) {\n    if (b) return 1\n  }\n}', [5, 2, 3, 2]],
    ['a condition of three', 'a.js', 'if (a && b || c) d()', [1, 3, 3, 0]],
    ['one choice', 'a.js', 'const a = b ? 1 : 2', [1, 1, 1, 0]],
    ['choices in a row', 'a.js', 'const a = b ? 1 : c ? 2 : d ? 3 : 4', [1, 3, 5, 0]],
    ['optional things', 'a.ts', 'a?.b; let c?: number', [1, 0, 0, 0]],
    ['a long line', 'a.js', `a = [${'1, '.repeat(60)}]`, [3, 0, 0, 0]],
    ['Python', 'a.py', 'def f(a):\n    if a:  # if\n        for b in a:\n            """while"""\n', [4, 2, 3, 3]],
  ])('%s', (_, path, source, [lines, branches, weighted, depth]) => {
    expect(codeSize(path, source)).toEqual({ lines, branches, weighted, depth })
  })

  it('takes no more than a second for a megabyte of open quotes', () => {
    const before = process.cpuUsage()
    for (const text of ['"`/*', '/*', '`', '"', '\\', '//', "'\\\n"]) codeSize('a.js', text.repeat(150_000))
    for (const text of ['"""', "'''", '#', '"\\']) codeSize('a.py', text.repeat(150_000))
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(1)
  })

  it.each([
    ['src/a.ts', true],
    ['a.mjs', true],
    ['a.py', true],
    ['README.md', false],
    ['package.json', false],
    ['node_modules/a/index.js', false],
  ])('%s is code: %s', (path, expected) => {
    expect(isCode(path)).toBe(expected)
  })
})
