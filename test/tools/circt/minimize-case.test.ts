import { chmodSync, mkdirSync, mkdtempSync, realpathSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { CaseOrder, MinimizeResult } from '../../../src/contracts/circt.js'
import type { RunProcess } from '../../../src/contracts/process.js'
import type { CirctBox } from '../../../src/tools/circt/circt-box.js'
import { minimizeCase } from '../../../src/tools/circt/minimize-case.js'
import { createRunner } from '../../../src/tools/process/runner.js'
import { memoryStore } from '../../support/memory-store.js'

/** A compiler with two bugs: it dies in `lowerThis` on "boom" within a module, and in `parseThat` on "boom" without one. */
const COMPILER = `#!/bin/sh
for input in "$@"; do case "$input" in *.fir) break;; esac; done
read_all=$(cat "$input")
case "$read_all" in
  *forever*) exec sleep 60 ;;
  *module*boom*) frame=lowerThis ;;
  *boom*) frame=parseThat ;;
  *) exit 0 ;;
esac
echo "Stack dump:" >&2
echo "0.	Program arguments: $0 $input" >&2
echo " #0 0x0000000000000001 circt::firrtl::$frame(int) ($0+0x1)" >&2
kill -SEGV $$
`
const SOURCE = `FIRRTL version 4.0.0
circuit Top:
  ; a comment
  module Other:
    skip
    skip

  module Top:
    input clock: Clock
    node a = UInt<8>(1)
    node boom = a
`

const root = mkdtempSync(join(realpathSync(tmpdir()), 'gauntlet-minimize-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const tools = join(root, 'tools')
mkdirSync(tools)
writeFileSync(join(tools, 'circt-translate'), COMPILER)
chmodSync(join(tools, 'circt-translate'), 0o755)

async function caseOf(source: string, more: Partial<CirctBox> & { script?: string; errorText?: string } = {}) {
  const store = memoryStore()
  const { script, errorText = '', ...boxed } = more
  const box: CirctBox = {
    run: createRunner({ sandbox: 'none' }),
    store,
    toolchainFor: async () => ({ version: null, pathOf: (tool) => join(tools, tool), has: () => true }),
    scratch: mkdtempSync(join(root, 'scratch-')),
    circtSource: null,
    gdb: null,
    parallelism: 2,
    signal: new AbortController().signal,
    heartbeat: () => undefined,
    previous: undefined,
    ...boxed,
  }
  const order: CaseOrder = {
    run_id: 'run',
    case: {
      crash_id: 'case',
      language: 'fir',
      source: await store.put('source.fir', source, 'text/plain'),
      error: await store.put('error.txt', errorText, 'text/plain'),
      command: { tool: 'circt-translate', version: null, args: ['--import', '{input}'] },
      interesting: script === undefined ? null : await box.store.put('interesting.sh', script, 'text/plain'),
      allow_unsandboxed: true,
    },
  }
  const textOf = async (result: MinimizeResult, name: string) => {
    const found = result.artifacts.find((artifact) => artifact.name === name)
    return found === undefined ? null : (await box.store.get(found)).toString()
  }
  return { box, order, textOf }
}

/** Counts the runs, and lets the first `clean` of them end well. */
function flaky(clean: number): { run: RunProcess; count(): number } {
  const run = createRunner({ sandbox: 'none' })
  let runs = 0
  return {
    count: () => runs,
    run: async (order) => {
      runs += 1
      return runs > clean ? run(order) : { ...(await run({ ...order, argv: ['/bin/true'] })) }
    },
  }
}

describe('minimizing a case', () => {
  it('leaves what the bug needs, in readable lines, with all its files and nothing of the machine', async () => {
    const { box, order, textOf } = await caseOf(SOURCE)
    const result = await minimizeCase(order, box)
    expect(await textOf(result, 'bug.fir')).toBe('module\n  boom\n')
    expect(result).toMatchObject({ original_lines: 10, minimized_lines: 2, is_one_minimal: true })
    expect(result.signature).toMatchObject({ kind: 'crash', frames: ['circt::firrtl::lowerThis'] })
    expect(await textOf(result, 'command.txt')).toBe('circt-translate --import bug.fir\n')
    expect(await textOf(result, 'error.log')).toContain('Program arguments: circt-translate bug.fir')
    expect(await textOf(result, 'minimize_report.md')).toContain('| lines | 10 | 2 | 80.0 % |')
    for (const { name } of result.artifacts) expect(await textOf(result, name)).not.toContain(root)
    expect(result.artifacts.map(({ name }) => name)).toEqual([
      'bug.fir',
      'error.log',
      'command.txt',
      'minimize_report.md',
      'minimize.log',
    ])
    expect(readdirSync(box.scratch)).toEqual([])
    expect((await box.store.get(order.case.source)).toString()).toBe(SOURCE)
  })

  it('goes on from the best text of an earlier attempt', async () => {
    const { box, order } = await caseOf(SOURCE)
    const { sha256 } = await box.store.put('bug.fir', 'module\nx\nboom\n', 'text/plain')
    const first: unknown[] = []
    const heartbeat = (details: unknown) => first.push(details)
    const result = await minimizeCase(order, {
      ...box,
      heartbeat,
      previous: { sha256, lines: 3, stage: 'lines', runs: 40 },
    })
    expect(result.minimized_lines).toBe(2)
    expect(result.oracle_runs).toBeGreaterThan(40)
    expect(result.oracle_runs).toBeLessThan(40 + 30)
  })

  it('starts over when the earlier best shows another bug', async () => {
    const { box, order, textOf } = await caseOf(SOURCE)
    const { sha256 } = await box.store.put('bug.fir', 'boom\n', 'text/plain')
    const result = await minimizeCase(order, { ...box, previous: { sha256, lines: 1, stage: 'lines', runs: 40 } })
    expect(await textOf(result, 'bug.fir')).toBe('module\n  boom\n')
  })

  it('tries a source that does not show its bug three times, then says so', async () => {
    const runner = flaky(1000)
    const { box, order } = await caseOf(SOURCE, { run: runner.run })
    await expect(minimizeCase(order, box)).rejects.toMatchObject({
      type: 'Tool.Failed',
      message:
        'the source does not show the bug: expected to fail in one of 3 runs of "circt-translate --import source.fir"',
    })
    expect(runner.count()).toBe(3)
  })

  it('forgives a flaky bug two clean runs', async () => {
    const { box, order } = await caseOf(SOURCE, { run: flaky(2).run })
    expect((await minimizeCase(order, box)).minimized_lines).toBe(2)
  })

  it('reduces the crash that is reported, though two runs of three end with a diagnostic', async () => {
    const real = createRunner({ sandbox: 'none' })
    let runs = 0
    const run: RunProcess = async (order) => {
      runs += 1
      if (runs % 3 === 0) return real(order)
      return { ...(await real({ ...order, argv: ['/bin/true'] })), exitCode: 1, stderr: 'x.fir:1:1: error: odd\n' }
    }
    const errorText = 'Stack dump:\n #0 0x01 circt::firrtl::lowerThis(int)\n'
    const { box, order } = await caseOf('module Top:\n  skip\n  boom\n', { run, errorText })
    const result = await minimizeCase(order, box)
    expect(result).toMatchObject({ minimized_lines: 2, signature: { kind: 'crash' } })
    expect(result.note).toMatch(/^flaky: \d+ of 12 last runs shows? the bug\.$/)
  }, 120_000)

  it('ends honestly when its allowance is used up', async () => {
    const { box, order, textOf } = await caseOf(SOURCE)
    const result = await minimizeCase(order, box, { maxRuns: 3, timeMs: 60_000 })
    expect(result).toMatchObject({
      is_one_minimal: false,
      note: 'ended by its limit of oracle runs with the best so far.',
    })
    expect(await textOf(result, 'bug.fir')).toContain('boom')
    const late = await minimizeCase(order, box, { maxRuns: 6000, timeMs: -1 })
    expect(late).toMatchObject({ is_one_minimal: false, note: 'ended by its time limit with the best so far.' })
  })

  it('takes the word of a script about what is interesting', async () => {
    const script = '#!/bin/sh\ngrep -q Clock "$1" && command -v circt-translate >/dev/null\n'
    const { box, order, textOf } = await caseOf(SOURCE, { script })
    const result = await minimizeCase(order, box)
    expect(await textOf(result, 'bug.fir')).toBe('Clock\n')
    expect(result.signature.kind).toBe('interesting')
  })

  it('says so when the script denies the source', async () => {
    const { box, order } = await caseOf(SOURCE, { script: '#!/bin/sh\nexit 1\n' })
    await expect(minimizeCase(order, box)).rejects.toThrow('expected the interesting script to exit 0')
  })

  it('ends at once when it is cancelled, with nothing left behind', async () => {
    const controller = new AbortController()
    const { box, order } = await caseOf('forever', { signal: controller.signal })
    const startedAt = Date.now()
    setTimeout(() => controller.abort(new Error('stopped by a person')), 200)
    await expect(minimizeCase(order, box)).rejects.toThrow('stopped by a person')
    expect(Date.now() - startedAt).toBeLessThan(10_000)
    expect(readdirSync(box.scratch)).toEqual([])
  })
})
