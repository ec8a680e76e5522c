import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scrub } from '../../../src/rules/circt/issue-text-scrub.js'

describe('what a tool said', () => {
  it.each([
    ['/home/ann/work/source.fir:3:10: error: x', 'source.fir:3:10: error: x'],
    ['#3 0x0 (/lib/x86_64-linux-gnu/libc.so.6+0x3c050)', '#3 0x0 (libc.so.6+0x3c050)'],
    [
      'Program arguments: /opt/firtool-1.2.3/bin/circt-opt --x=/tmp/g/a.json',
      'Program arguments: circt-opt --x=a.json',
    ],
    [String.raw`C:\Users\Ann\bug.sv(3): error`, 'bug.sv(3): error'],
    ['"/home/ann lee/my files/a.sv"', '"a.sv"'],
    ['cd /home/ann', 'cd HOME'],
    ['~/circt/build/a.mlir', 'a.mlir'],
    ['file:///home/ann/x/a.fir', 'a.fir'],
    ['ann@wopr:~/x$ firtool', 'user@host:x$ firtool'],
    ['#5 foo lib/Dialect/Comb/CombFolds.cpp:513', '#5 foo lib/Dialect/Comb/CombFolds.cpp:513'],
    ['https://github.com/llvm/circt and include', 'https://github.com/llvm/circt and include'],
    ['+/- 3 and a / b', '+/- 3 and a / b'],
  ])('%s', (text, clean) => {
    expect(scrub(text, 'output')).toBe(clean)
  })

  it('loses names of the machine as whole words, but not words of the trade', () => {
    expect(scrub('wopr says: rooted, root, annotate, ann', 'output', ['wopr', 'ann', 'root'])).toBe(
      'USER says: rooted, root, annotate, USER',
    )
  })

  it('holds no planted folder, wherever it stands', () => {
    const name = fc.stringMatching(/^secret[a-z0-9_.-]{1,8}[a-z0-9]$/)
    const root = fc.constantFrom('/home', '/Users', '/tmp', '/proj/x', '/mnt/nfs', '/a.b')
    const around = fc.constantFrom(
      ['', ''],
      [' ', ' '],
      ['"', '"'],
      ['(', ')'],
      ['=', ' '],
      ["'", "':"],
      ['\t', ':3:4: error'],
      ['[', ']'],
    )
    fc.assert(
      fc.property(
        root,
        fc.array(name, { minLength: 1, maxLength: 4 }),
        around,
        (base, folders, [before = '', after = '']) => {
          const text = `x ${before}${base}/${folders.join('/')}/file.sv${after}`
          expect(scrub(text, 'output')).not.toMatch(/secret/)
          expect(scrub(text, 'output')).toContain('file.sv')
        },
      ),
    )
  })
})

describe('a flood', () => {
  it.each(['a.', '/a', '"/', '~/', ' \n', 'C:\\a', '/'])('of %j is read in linear time', (unit) => {
    const started = Date.now()
    for (const kind of ['output', 'source'] as const) scrub(`${unit.repeat(200_000)}@x`, kind, ['ann'])
    expect(Date.now() - started).toBeLessThan(3000)
  })
})

describe('a source', () => {
  it.each([
    ['node x = a @[/home/ann/src/Foo.scala 12:3]', 'node x = a @[Foo.scala 12:3]'],
    ['`include "/proj/ann/inc.svh"', '`include "inc.svh"'],
    ['// from /nfs/ann/a.sv', '// from a.sv'],
    ['loc("/home/ann/a.mlir":1:2)', 'loc("a.mlir":1:2)'],
    ['x = a /b/c;', 'x = a /b/c;'],
    ['x = (a)/b/c; y = 4/2/1;', 'x = (a)/b/c; y = 4/2/1;'],
    ['/* block */ assign a = b; // done', '/* block */ assign a = b; // done'],
    ['hw.instance "a" @b(x: %0: i1)', 'hw.instance "a" @b(x: %0: i1)'],
    ['always @(posedge clk) q <= d;', 'always @(posedge clk) q <= d;'],
  ])('%s', (text, clean) => {
    expect(scrub(text, 'source')).toBe(clean)
  })
})
