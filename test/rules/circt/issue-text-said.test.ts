import { describe, expect, it } from 'vitest'
import type { CrashSignature } from '../../../src/contracts/crash-signature.js'
import { saidOf } from '../../../src/rules/circt/issue-text-said.js'

const bare: CrashSignature = { kind: 'diagnostic', signal: null, failing_pass: null, message: null, frames: [] }

describe('what the tool said', () => {
  it.each([
    [
      "unsupported system call '_'",
      "a.sv:1:1: error: unsupported system call 'name'",
      "unsupported system call 'name'",
    ],
    ['no room for N', 'LLVM ERROR: no room for 7', 'no room for 7'],
    [
      "failed to legalize operation 'moore.net'",
      `a.sv:1:1: error: failed to legalize operation 'moore.net': %3 = "moore.net"() : () -> f64`,
      "failed to legalize operation 'moore.net'",
    ],
    ['something else', 'a.sv:1:1: error: boom', 'something else'],
    ["cannot read '_'", "error: cannot read '/home/ann/x.sv'", "cannot read 'x.sv'"],
    [null, 'a.sv:1:1: error: boom', null],
  ])('of the signature %j in %j', (message, errorLog, said) => {
    expect(saidOf({ ...bare, message }, errorLog)).toBe(said)
  })
})
