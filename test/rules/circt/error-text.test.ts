import { describe, expect, it } from 'vitest'
import { parseErrorText } from '../../../src/rules/circt/error-text.js'

describe('parseErrorText', () => {
  it('reads the command, the stack and the release from a symbolised LLVM stack dump', () => {
    const text = parseErrorText(
      [
        'PLEASE submit a bug report to https://github.com/llvm/circt and include the crash backtrace.',
        'Stack dump:',
        '0.\tProgram arguments: firtool-1.62.1/firtool --ir-hw source.fir',
        ' #0 0x00000000006ffed7 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (firtool-1.62.1/firtool+0x6ffed7)',
        ' #3 0x00007f37d065e050 (/lib/x86_64-linux-gnu/libc.so.6+0x3c050)',
        ' #4 0x0000000000d31d40 (anonymous namespace)::P::runOnOperation() Lower.cpp:12:3',
      ].join('\n'),
    )
    expect(text).toMatchObject({
      command: { line: 'firtool-1.62.1/firtool --ir-hw source.fir', isArgv: true },
      version: '1.62.1',
      isCrash: true,
      stack: [
        { function: 'llvm::sys::PrintStackTrace(llvm::raw_ostream&, int)', file: null },
        { function: '(anonymous namespace)::P::runOnOperation()', file: 'Lower.cpp', line: 12 },
      ],
    })
  })

  it('takes the exported functions from a dump without symbols', () => {
    const lines = [
      'Stack dump without symbol names (ensure …):',
      '4  firtool   0x0000000000fa2622',
      '5  firtool   0x0000000000fa23c0 circt::f(int) + 16',
    ]
    expect(parseErrorText(lines.join('\n')).exportedStack).toEqual(['circt::f(int)'])
  })

  it.each([
    [
      'circt-opt: lib/X.cpp:12: void f(int): Assertion `a && "b\'s"\' failed.',
      { message: 'a && "b\'s"', file: 'lib/X.cpp', line: 12, function: 'void f(int)' },
    ],
    [
      'Assertion failed: (x != 0), function g, file Y.cpp, line 3.',
      { message: 'x != 0', file: 'Y.cpp', line: 3, function: 'g' },
    ],
    [
      'all types are supported\nUNREACHABLE executed at lib/Z.cpp:129!',
      { message: 'UNREACHABLE executed', file: 'lib/Z.cpp', line: 129, function: null },
    ],
  ])('finds the assertion in %j', (text, assertion) => {
    expect(parseErrorText(text).assertion).toEqual(assertion)
  })

  it.each([
    ["a.sv:3:10: error: expected ';'", { file: 'a.sv', line: 3, column: 10, message: "expected ';'" }],
    ['<unknown>:0: error: no top', { file: null, message: 'no top' }],
    ['loc("b.mlir":1:2): error: bad', { file: 'b.mlir', line: 1, column: 2, message: 'bad' }],
    [
      "firtool: Unknown command line argument '--foo'.  Try: '/x/firtool --help'",
      { file: null, message: "Unknown command line argument '--foo'." },
    ],
  ])('finds the diagnostic in %j', (text, diagnostic) => {
    expect(parseErrorText(text).diagnostics).toMatchObject([{ severity: 'error', ...diagnostic }])
  })

  it('names the innermost pass of a crash reproducer and leaves its own errors out', () => {
    const text = parseErrorText(
      "s.fir:2:1: error: Failures have been detected while processing an MLIR pass pipeline\ns.fir:2:1: note: Pipeline failed while executing [`Outer` on 'builtin.module' operation, `CheckCombLoops` on 'firrtl.circuit' operation: @c]: reproducer generated at `r.mlir`",
    )
    expect(text).toMatchObject({ failingPass: 'CheckCombLoops', diagnostics: [] })
  })

  it('names the pass whose IR was printed last', () => {
    const text =
      '// -----// IR Dump Before A (a) //----- //\n// -----// IR Dump Before PrettifyVerilog: (prettify) //----- //'
    expect(parseErrorText(text).failingPass).toBe('PrettifyVerilog')
  })

  it.each([
    [
      "--- Compilation Command ---\ncirct-verilog --ir-hw prog.sv | circt-opt --x | arcilator\ncirct-opt: X.cpp:1: f: Assertion `a' failed.",
      'circt-opt --x',
    ],
    ['$ firtool source.fir 2> error.txt\nerror: x', 'firtool source.fir'],
    [
      'timeout 60 /opt/firtool-1.155.0/circt-opt --canonicalize a.mlir > /dev/null',
      '/opt/firtool-1.155.0/circt-opt --canonicalize a.mlir',
    ],
    ['nothing of the sort: firtool is named in prose', null],
  ])('takes the part that ran the crashing tool from %j', (text, line) => {
    expect(parseErrorText(text).command?.line ?? null).toBe(line)
  })

  it.each([
    ['', { isEmpty: true, isCrash: false }],
    ['Crash Type: timeout', { isTimeout: true }],
    ["terminate called after throwing an instance of 'std::bad_alloc'", { isOutOfMemory: true }],
    ['LLVM ERROR: Failed to infer result type(s).', { fatalError: 'Failed to infer result type(s).' }],
  ])('reads the words of %j', (text, expected) => {
    expect(parseErrorText(text)).toMatchObject(expected)
  })

  it.each([
    ['one line', 'a: Assertion `'.repeat(360_000)],
    ['brackets', '#1 0x1 '.padEnd(5_000_000, '(<')],
    ['blanks', `firtool ${' '.repeat(5_000_000)}x`],
    ['many lines', `firtool ${' >'.repeat(1900)}${'x'.repeat(200)}\n`.repeat(1300)],
    ['places', `${'a:1:'.repeat(1000)}\n`.repeat(1200)],
  ])('reads a hostile text of 5 MB (%s) in time', (_, text) => {
    const start = performance.now()
    parseErrorText(text)
    expect(performance.now() - start).toBeLessThan(3000)
  })
})
