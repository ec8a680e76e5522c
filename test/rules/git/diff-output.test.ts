import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FileChange } from '../../../src/contracts/git.js'
import { readDiffOutput, readTreeOutput } from '../../../src/rules/git/diff-output.js'
import { readMergeOutput } from '../../../src/rules/git/merge-output.js'

const zeros = '0'.repeat(40)
const blob = 'b'.repeat(40)
const bytes = (text: string) => Buffer.from(text, 'latin1')

describe('the differences that git writes', () => {
  it('are read with their counts of lines', () => {
    const output = [
      `:000000 100644 ${zeros} ${blob} A\0new.ts\0`,
      `:100644 100755 ${blob} ${blob} M\0run.sh\0`,
      `:100644 000000 ${blob} ${zeros} D\0old.bin\0`,
      `:100644 100644 ${blob} ${blob} R086\0from.ts\0to.ts\0`,
      `:100644 120000 ${blob} ${blob} T\0link\0`,
      '3\t0\tnew.ts\0',
      '0\t0\trun.sh\0',
      '-\t-\told.bin\0',
      '1\t2\t\0from.ts\0to.ts\0',
      '1\t1\tlink\0',
    ].join('')
    const { changes, misfits } = readDiffOutput(bytes(output))
    expect(misfits).toEqual([])
    expect(changes.map(({ change }) => FileChange.parse(change))).toEqual([
      { action: 'create', path: 'new.ts', lines_added: 3, lines_deleted: 0 },
      { action: 'modify', path: 'run.sh', lines_added: 0, lines_deleted: 0 },
      { action: 'delete', path: 'old.bin', lines_added: null, lines_deleted: null },
      { action: 'rename', path: 'to.ts', old_path: 'from.ts', lines_added: 1, lines_deleted: 2 },
      { action: 'modify', path: 'link', lines_added: 1, lines_deleted: 1 },
    ])
    expect(changes.at(-1)).toMatchObject({ oldMode: '100644', mode: '120000', blob })
  })

  it('keep apart names that cannot travel, on either side of a rename', () => {
    const output = [
      `:000000 100644 ${zeros} ${blob} A\0new\nline\0`,
      `:100644 100644 ${blob} ${blob} R100\0\xff\xfe\0plain\0`,
      `:000000 100644 ${zeros} ${blob} A\0\xc3\xbc\0`,
      '1\t0\tnew\nline\0',
      '0\t0\t\0\xff\xfe\0plain\0',
      '1\t0\t\xc3\xbc\0',
    ].join('')
    const { changes, misfits } = readDiffOutput(bytes(output))
    expect(misfits).toEqual(['"new\\nline"', '"\ufffd\ufffd"'])
    expect(changes.map(({ change }) => change.path)).toEqual(['ü'])
  })

  it('are none when there is none', () => {
    expect(readDiffOutput(bytes(''))).toEqual({ changes: [], misfits: [] })
  })

  it.each([
    'nonsense',
    'nonsense\0',
    `:000000 100644 ${zeros} ${blob} A\0new.ts\0`,
    `:000000 100644 ${zeros} ${blob} X\0new.ts\x001\t0\tnew.ts\0`,
    `:000000 100644 ${zeros} ${blob} A\0new.ts\x001\t0\tnew.ts`,
  ])('are refused when they are none: %j', (text) => {
    expect(() => readDiffOutput(bytes(text))).toThrow(/expected|git lists/)
  })

  it('end, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (noise) => {
        try {
          readDiffOutput(noise)
        } catch (error) {
          expect((error as Error).message).toMatch(/expected|git lists/)
        }
      }),
    )
  })

  it('against nothing list what a commit holds', () => {
    const output = `:000000 100755 ${zeros} ${blob} A\0run\0:000000 160000 ${zeros} ${blob} A\0a\nb\0`
    expect(readTreeOutput(bytes(output))).toEqual([
      { path: 'run', mode: '100755', blob },
      { path: null, mode: '160000', blob },
    ])
  })
})

describe('a merge', () => {
  it('that went well is a tree', () => {
    expect(readMergeOutput(`${blob}\0`)).toEqual({ tree: blob, conflicts: [] })
  })

  it('with conflicts names each file once', () => {
    expect(readMergeOutput(`${blob}\0a\0b\nc\0a\0\0ignored\0`)).toEqual({ tree: blob, conflicts: ['a', '"b\\nc"'] })
  })

  it('that is none is refused', () => {
    expect(() => readMergeOutput('fatal: no')).toThrow('expected the id of a tree')
  })
})
