import { rmSync, writeFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { MetadataFile } from '../../../src/contracts/circt-files.js'
import { ReproduceResult } from '../../../src/contracts/circt.js'
import { reproduceCrash } from '../../../src/tools/circt/reproduce-crash.js'
import { boxedCase, scriptedToolchain, testFolder, type CaseParts } from '../../support/circt-case.js'

/** Dies on "boom", names the pass when asked for a reproducer, complains about "bad", and ends every other time cleanly on "flaky". */
const COMPILER = `
for input in "$@"; do case "$input" in *.fir) break;; esac; done
text=$(cat "$input")
count="$(dirname "$0")/count"
case "$text" in
  *bad*) echo "$PWD/$input:1:2: error: bad word in 'x'" >&2; exit 1;;
  *flaky*) echo x >> "$count"; [ $(wc -l < "$count") -eq 1 ] && exit 0;;
  *boom*) ;;
  *) exit 0;;
esac
case "$*" in *crash-reproducer=*)
  echo "a.fir:1:1: note: Pipeline failed while executing [\\\`LowerBoom\\\` on 'x' operation]: reproducer generated" >&2
  exit 1;;
esac
echo "Stack dump:" >&2
echo "0.	Program arguments: $0 $input" >&2
echo " #0 0x0000000000000001 circt::firrtl::lowerBoom(int) ($0+0x1)" >&2
kill -SEGV $$`

const root = testFolder('reproduce')
afterAll(() => rmSync(root, { recursive: true, force: true }))
const toolchain = scriptedToolchain(root, 'firtool', COMPILER)

async function reproduce(parts: CaseParts, tools: typeof toolchain | null = toolchain) {
  const { box, order } = await boxedCase(root, tools, parts)
  const result = ReproduceResult.parse(await reproduceCrash(order, box))
  const texts = await Promise.all(result.artifacts.map((artifact) => box.store.get(artifact)))
  const metadata = MetadataFile.parse(JSON.parse(String(texts[0])))
  return { result, metadata, log: String(texts[1]), left: readdirSync(box.scratch) }
}

const CRASH_TEXT = 'PLEASE submit a bug report to https://github.com/llvm/circt and include the crash backtrace.'

describe('reproduceCrash', () => {
  it('sees the reported crash three times and names pass and frame', async () => {
    const { result, metadata, log, left } = await reproduce({ source: 'boom', errorText: CRASH_TEXT })
    expect(result).toMatchObject({
      reproduced: true,
      match_result: 'exact_match',
      runs: 3,
      reproduced_runs: 3,
      tool_version: '9.9.9',
      is_sandboxed: false,
      signature: { kind: 'crash', signal: 'SIGSEGV', failing_pass: 'LowerBoom', frames: ['circt::firrtl::lowerBoom'] },
    })
    expect(metadata.reproduction).toMatchObject({ command: 'firtool source.fir', signal: 'SIGSEGV', sandboxed: false })
    expect(metadata.tool).toEqual({ name: 'firtool', version: '9.9.9', path: 'firtool' })
    expect(JSON.stringify(metadata) + log).not.toContain(root)
    expect(left).toEqual([])
  })

  it.each<[string, object, CaseParts]>([
    [
      'a clean end is not reproduced',
      { reproduced: false, match_result: 'no_crash' },
      { source: 'fine', errorText: CRASH_TEXT },
    ],
    ['an empty error.txt takes the first run', { reproduced: true, match_result: 'exact_match' }, { source: 'boom' }],
    [
      'a plain diagnostic is an outcome too',
      { reproduced: true, match_result: 'exact_match' },
      { source: 'bad', errorText: "x.fir:9:9: error: bad word in 'y'" },
    ],
    [
      'another crash is flagged',
      { reproduced: true, match_result: 'different_crash' },
      { source: 'boom', errorText: "a.fir:1:1: error: 'firrtl.x' op odd" },
    ],
    [
      'a script decides alone',
      { reproduced: true, signature: { kind: 'interesting' } },
      {
        source: 'fine',
        errorText: CRASH_TEXT,
        script: '#!/bin/sh\ngrep -q fine "$1" && test -f source.fir && firtool source.fir',
      },
    ],
    ['a script that says no', { reproduced: false }, { source: 'fine', script: '#!/bin/sh\nexit 1' }],
  ])('%s', async (_, expected, parts) => {
    expect((await reproduce(parts)).result).toMatchObject(expected)
  })

  it('counts n of m for what is seen only sometimes', async () => {
    writeFileSync(join(root, 'firtool-9.9.9', 'count'), '')
    const { result } = await reproduce({ source: 'flaky', errorText: CRASH_TEXT })
    expect(result).toMatchObject({ reproduced: true, runs: 3, reproduced_runs: 2 })
  })

  it('is inconclusive without the tool', async () => {
    const { result } = await reproduce({ source: 'boom', errorText: CRASH_TEXT }, null)
    expect(result).toMatchObject({
      reproduced: 'inconclusive',
      runs: 0,
      signature: null,
      note: expect.stringContaining('not installed'),
    })
  })
})
