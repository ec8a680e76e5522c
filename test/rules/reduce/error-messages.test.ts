import { describe, expect, it } from 'vitest'
import { complainsAlike, errorMessages } from '../../../src/rules/reduce/error-messages.js'

const REFERENCE = errorMessages(
  "source.sv:3:10: error: cannot mix assignments to variable 'q'\nsource.sv:9:1: error: width 8 is odd\nx.sv:1:1: warning: w\n",
)

describe('a smaller source complains', () => {
  it.each<[string, string, boolean]>([
    ['of the same, of other names and numbers', "bug.sv:1:1: error: cannot mix assignments to variable 'r'\n", true],
    ['of the second thing alone', 'bug.sv:1:1: error: width 4 is odd\n', true],
    ['of nothing', '', true],
    [
      'of more than the reference',
      "bug.sv:1:1: error: cannot mix assignments to variable 'q'\nbug.sv:1:4: error: expected ')'\n",
      false,
    ],
    ['of more, but only in a warning', "bug.sv:1:4: warning: expected ')'\n", true],
  ])('%s', (_, stderr, expected) => {
    expect(complainsAlike('diagnostic', REFERENCE, stderr)).toBe(expected)
    expect(complainsAlike('verifier_error', REFERENCE, stderr)).toBe(expected)
    expect(complainsAlike('crash', REFERENCE, stderr)).toBe(true)
  })
})
