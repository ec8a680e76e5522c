import { describe, expect, it } from 'vitest'
import type { CrashSignature } from '../../../src/contracts/crash-signature.js'
import { isSameBug } from '../../../src/rules/reduce/same-bug.js'

const reference: CrashSignature = {
  kind: 'crash',
  signal: 'SIGSEGV',
  failing_pass: 'SCFToCalyx',
  message: null,
  frames: ['circt::scftocalyx::BuildControl::buildCFGControl', 'circt::SCFToCalyxPass::runOnOperation'],
}

describe('a smaller source shows the same bug', () => {
  it.each<[string, Partial<CrashSignature>, boolean]>([
    ['with the same signature', {}, true],
    ['not with another kind', { kind: 'assertion' }, false],
    ['not with another pass', { failing_pass: 'Canonicalizer' }, false],
    ['not outside any pass', { failing_pass: null }, false],
    [
      'with a common frame further out',
      { frames: ['circt::other', 'circt::scftocalyx::BuildControl::buildCFGControl'] },
      true,
    ],
    ['not with the entry of the pass alone in common', { frames: ['circt::SCFToCalyxPass::runOnOperation'] }, false],
    ['not with other frames', { frames: ['circt::other'] }, false],
    ['not without frames where a debugger looked', { frames: [] }, false],
  ])('%s', (_title, change, expected) => {
    expect(isSameBug(reference, { ...reference, ...change }, { hasFrames: true })).toBe(expected)
  })

  it('without frames where none were asked for', () => {
    expect(isSameBug(reference, { ...reference, frames: [] }, { hasFrames: false })).toBe(true)
  })

  it('in a pass whose entry is all that the reference has', () => {
    const entry = { ...reference, frames: ['X::runOnOperation'] }
    expect(isSameBug(entry, entry, { hasFrames: true })).toBe(true)
  })

  it('when only internals of MLIR are known on both sides and the pass agrees', () => {
    const one = { ...reference, frames: ['mlir::Value::getDefiningOp'] }
    const other = { ...reference, frames: ['mlir::Operation::fold'] }
    expect(isSameBug(one, other, { hasFrames: true })).toBe(true)
    expect(isSameBug(one, { ...other, failing_pass: 'Other' }, { hasFrames: true })).toBe(false)
  })
})
