import { describe, expect, it } from 'vitest'
import { triggerOf } from '../../../src/rules/circt/trigger.js'

describe('what is left of a test case', () => {
  it.each([
    ['mlir', 'func.func private @ext()\nfunc.func @f() {\n  return\n}\n', 'a function that is declared without a body'],
    ['mlir', 'hw.module @m(out o: i1) {\n  %0 = comb.xor %0, %0 : i1\n  hw.output %0 : i1\n}\n', 'comb.xor in a loop'],
    ['mlir', 'hw.module @m() {\n  %w = sv.wire : !hw.inout<i1>\n  sv.exit\n}\n', 'sv.wire, sv.exit'],
    ['mlir', 'hw.module @m() {}\n', null],
    [
      'fir',
      'circuit c :\n  module c :\n    wire w : {|a: UInt<1>|}\n    w is invalid\n',
      'an enum that is invalidated',
    ],
    ['sv', 'module m(input a, output o);\n  assign o = a;\nendmodule\n', null],
  ] as const)('of %s %j', (language, testCase, trigger) => {
    expect(triggerOf(language, testCase)).toBe(trigger)
  })
})
