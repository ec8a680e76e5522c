import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SimilarIssue } from '../../../src/contracts/circt-files.js'
import type { GenerateOrder } from '../../../src/contracts/circt.js'
import { parseIssue, renderIssue } from '../../../src/rules/circt/issue-text-file.js'
import { issueDraft } from '../../../src/rules/circt/issue-text.js'
import { anAnalysis } from '../../support/circt-analysis.js'
import { aGenerateOrder, someFacts } from '../../support/circt-issue.js'

const whole = `## Description

\`circt-opt\` crashes in the pass \`Canonicalizer\` (\`SIGSEGV\`) on the input below.

## Steps to Reproduce

\`\`\`sh
circt-opt --canonicalize bug.mlir
\`\`\`

## Test Case

\`bug.mlir\`:

\`\`\`mlir
hw.module @m() {
}
\`\`\`

## Error Output

The tool prints no error of its own before SIGSEGV ends it.

## Root Cause

A cycle of \`comb.extract\` is folded for ever (a hypothesis, confidence medium)

Evidence:

- two ops use each other

Suspected sources:

- \`lib/Dialect/Comb/CombFolds.cpp\`: defines extractConcat

## Environment

CIRCT \`firtool-1.155.0\`, \`circt-opt\`

<details>
<summary>Stack Trace</summary>

\`\`\`text
#0 extractConcat
#1 circt::comb::ExtractOp::canonicalize
\`\`\`

Signal handlers, pass managers and rewrite drivers are left out.

</details>

<details>
<summary>Original source (40 lines, minimized to 2)</summary>

\`\`\`systemverilog
module m;
endmodule
\`\`\`

</details>

---

Assisted-by: Gauntlet (reducer, root cause rules), gdb
`

function bodyWith(change: (order: GenerateOrder) => void): string {
  const order = aGenerateOrder()
  change(order)
  return issueDraft(someFacts({ order })).body
}

function similar(number: number, score: number, title = 'a title'): SimilarIssue {
  return {
    number,
    title,
    body: '',
    labels: [],
    state: 'open',
    url: '',
    createdAt: null,
    similarity_score: score,
    reasons: [],
  }
}

function duplicatesOf(issues: SimilarIssue[]) {
  return {
    version: '1.0' as const,
    timestamp: '2026-01-28T14:00:00.000Z',
    search_terms: { dialect: null, failing_pass: null, crash_type: 'crash', keywords: [], assertion_message: null },
    results: { total_found: issues.length, top_score: issues[0]?.similarity_score ?? 0, issues },
    recommendation: { action: 'review_existing' as const, confidence: 'low' as const, reason: '' },
  }
}

describe('the issue of a run in which all went well', () => {
  it('reads like this, without caveats', () => {
    expect(issueDraft(someFacts())).toEqual({
      title: '[Comb] Segmentation fault in Canonicalizer',
      labels: ['Comb', 'crash'],
      body: whole,
    })
  })

  it('has the same bytes for the same facts, and survives its file', () => {
    const draft = issueDraft(someFacts())
    expect(issueDraft(someFacts())).toEqual(draft)
    expect(parseIssue(renderIssue(draft))).toEqual(draft)
  })

  it('leaves the original source out when it is the test case', () => {
    expect(issueDraft(someFacts({ original: 'hw.module @m() {\n}\n\n' })).body).not.toContain('Original source')
  })
})

describe('the stack', () => {
  it('is the printed one when there is one, without plumbing and addresses, and then no debugger is named', () => {
    const errorLog = 'error: x\n #0 0x00ab f::foo<a::b>(int) (/opt/bin/firtool+0x1)\n #1 0x00cd main\n #2 0x1 _start\n'
    const { body } = issueDraft(someFacts({ errorLog }))
    expect(body).toContain('```text\n#0 f::foo\n```')
    expect(body).toContain('```text\nerror: x\n```')
    expect(body).toContain('Assisted-by: Gauntlet (reducer, root cause rules)\n')
  })

  it('is that of the test case where the whole source died elsewhere', () => {
    const order = aGenerateOrder()
    order.minimize.signature = { ...order.minimize.signature, frames: ['circt::hw::other'] }
    expect(issueDraft(someFacts({ order })).body).toContain('```text\n#0 circt::hw::other\n```')
  })

  it('has at most twelve frames, and says so', () => {
    const frames = Array.from({ length: 14 }, (_, at) => `circt::f${at}`)
    const { body } = issueDraft(someFacts({ analysis: anAnalysis({ frames }) }))
    expect(body).toContain('#11 circt::f11\n```')
    expect(body).toContain('The outer 2 are left out.')
  })

  it('is left out when nobody knows it', () => {
    expect(issueDraft(someFacts({ analysis: anAnalysis() })).body).not.toContain('Stack Trace')
  })

  it('names circt-reduce when the reduction used it', () => {
    const { body } = issueDraft(someFacts({ minimizeReport: 'with circt-reduce', analysis: null }))
    expect(body).toContain('Assisted-by: Gauntlet (reducer, root cause rules), circt-reduce\n')
  })
})

describe('the error', () => {
  it.each([
    ['a flood of warnings does not hide it', `${'w: warning: x\n'.repeat(50)}a: error: boom\n`, 'a: error: boom'],
    [
      'the words around a stack dump are no error',
      'PLEASE submit a bug report to x\nStack dump:\n0.\tProgram arguments: y\nLLVM ERROR: boom',
      'LLVM ERROR: boom',
    ],
  ])('%s', (_, errorLog, shown) => {
    const section = issueDraft(someFacts({ errorLog })).body.split('## Error Output')[1]?.split('##')[0]
    expect(section).toContain(`\`\`\`text\n${shown}\n\`\`\``)
  })

  it.each([
    ['memory', 'reaches the limit on its memory'],
    ['hang', 'reaches the limit on its time'],
    ['interesting', 'The tool prints nothing.'],
  ] as const)('of a silent %s is said in words', (kind, words) => {
    const order = aGenerateOrder()
    order.minimize.signature = { ...order.minimize.signature, kind, signal: null }
    expect(issueDraft(someFacts({ order, errorLog: '\n' })).body).toContain(words)
  })

  it('that never comes is said, too', () => {
    const { body } = issueDraft(someFacts({ errorLog: 'a.fir:1:1: warning: x\n' }))
    expect(body).toContain('a.fir:1:1: warning: x\n```\n\nNo error follows before SIGSEGV ends the tool.')
  })

  it('names the assertion that another build fails', () => {
    const analysis = anAnalysis({ assertion_message: 'op->use_empty()' })
    const { body, title } = issueDraft(someFacts({ analysis }))
    expect(title).toBe('[circt-opt] Assertion failure in Canonicalizer: op->use_empty()')
    expect(body).toContain('A build with assertions fails one: `op->use_empty()`.')
  })
})

describe('the command', () => {
  it('is one line that a shell takes as it is', () => {
    const command = "/a/b/circt-opt '--pass-pipeline=builtin.module(cse,  x{a=b})' {input}\n"
    expect(issueDraft(someFacts({ command })).body).toContain(
      "```sh\ncirct-opt '--pass-pipeline=builtin.module(cse,  x{a=b})' bug.mlir\n```",
    )
  })
})

describe('the pass alone', () => {
  it('has its command and its IR, apart', () => {
    const onePass = '// circt-opt --cse one-pass.mlir\nhw.module @m() {\n}\n'
    expect(issueDraft(someFacts({ onePass })).body).toContain(
      '```sh\ncirct-opt --cse one-pass.mlir\n```\n\n```mlir\nhw.module @m() {\n}\n```',
    )
    expect(issueDraft(someFacts()).body).not.toContain('Reduced MLIR')
    const long = `// circt-opt --cse one-pass.mlir\n${'hw.module @m() {}\n'.repeat(80)}`
    expect(issueDraft(someFacts({ onePass: long })).body).not.toContain('Reduced MLIR')
  })
})

describe('labels', () => {
  it.each([
    ['Crash Type: assertion\nHash: abc\n', ['Comb', 'crash', 'found-by-fuzzing']],
    ['Original Program File: x\n--- Compilation Command ---\n', ['Comb', 'crash', 'found-by-fuzzing']],
    ['Hash: abc\n', ['Comb', 'crash']],
    ['we love fuzzing\n', ['Comb', 'crash']],
  ])('of an error text %j', (errorText, labels) => {
    expect(issueDraft(someFacts({ errorText })).labels).toEqual(labels)
  })

  it('and heading of a feature request are its own', () => {
    const order = aGenerateOrder()
    order.validate = { result: 'feature_request', confidence: 'high', reason: '', artifacts: [] }
    const draft = issueDraft(someFacts({ order, errorText: 'Crash Type: x\nHash: y\n' }))
    expect(draft.labels).toEqual(['Comb', 'enhancement'])
    expect(draft.title).toBe('[Comb] Support for input that is rejected in Canonicalizer')
    expect(draft.body).toMatch(/^## Feature request\n/)
    expect(draft.body).not.toContain('## Description')
  })
})

describe('caveats', () => {
  it.each<[string, (order: GenerateOrder) => void]>([
    ['seen in 2 of 3 runs', (order) => void (order.reproduce.reproduced_runs = 2)],
    ['differs from what was first reported', (order) => void (order.reproduce.match_result = 'different_crash')],
    ['ran without a sandbox', (order) => void (order.reproduce.is_sandboxed = false)],
    ['may not be minimal', (order) => void (order.minimize.is_one_minimal = false)],
    ['that it is a bug is assumed', (order) => void (order.validate = null)],
    ['The search for duplicates could not run', (order) => void (order.check_duplicates = null)],
    [
      'read from the error text alone',
      (order) => void (order.root_cause_analysis = { ...order.root_cause_analysis!, degraded: true }),
    ],
    [
      'did not run through (no connection)',
      (order) =>
        void (order.check_duplicates = { ...order.check_duplicates!, action: 'unknown', note: 'no connection' }),
    ],
    [
      'with low confidence: in doubt',
      (order) => void (order.validate = { result: 'report', confidence: 'low', reason: 'in doubt', artifacts: [] }),
    ],
  ])('say: %s', (words, change) => {
    const body = bodyWith(change)
    expect(body.split('## Caveats')[1]?.replaceAll('\\', '')).toContain(words)
  })

  it('say how what is seen differs from what was reported', () => {
    const order = aGenerateOrder()
    order.reproduce.match_result = 'different_crash'
    order.minimize.signature = { ...order.minimize.signature, kind: 'memory', signal: null }
    const { body } = issueDraft(someFacts({ order, errorText: 'Segmentation fault' }))
    expect(body).toContain('- What is seen now differs from what was first reported: memory instead of crash.')
  })

  it('say that the root cause is unknown', () => {
    const { body } = issueDraft(someFacts({ analysis: null }))
    expect(body).toContain('- The root cause could not be analysed.')
    expect(body).not.toContain('## Root Cause')
  })
})

describe('related issues', () => {
  it('are the best three and every further one of 8 or more, none below 2', () => {
    const duplicates = duplicatesOf([similar(1, 9.5), similar(2, 9), similar(3, 8.5), similar(4, 8), similar(5, 7.5)])
    const { body } = issueDraft(someFacts({ duplicates }))
    expect([...body.matchAll(/^- #(\d+) /gm)].map((match) => match[1])).toEqual(['1', '2', '3', '4'])
    const weak = issueDraft(
      someFacts({ duplicates: duplicatesOf([similar(1, 5), similar(2, 2), similar(3, 1.5)]) }),
    ).body
    expect([...weak.matchAll(/^- #(\d+) /gm)].map((match) => match[1])).toEqual(['1', '2'])
  })

  it('name a possible duplicate at 8, not below', () => {
    const { body } = issueDraft(someFacts({ duplicates: duplicatesOf([similar(1, 8), similar(2, 7.5)]) }))
    expect(body).toContain('- #1 `a title` (open, similarity 8, a possible duplicate)')
    expect(body).toContain('- #2 `a title` (open, similarity 7.5)')
  })
})

describe('hostile text', () => {
  const evil = '</details>\n```\n# @everyone <script>x</script> fixes #1 [a](http://b) `'

  it('stays inside of its block or span, wherever it comes from', () => {
    const order = aGenerateOrder()
    order.minimize.signature = { ...order.minimize.signature, message: evil, failing_pass: evil }
    order.check_duplicates = { ...order.check_duplicates!, action: 'unknown', note: evil }
    const analysis = anAnalysis({
      dialect: 'comb',
      frames: [evil],
      hypotheses: [{ description: evil, confidence: 'low', evidence: [evil] }],
      suggested_sources: [{ path: evil, reason: evil }],
    })
    const texts = { command: evil, testCase: evil, original: `${evil}!`, errorLog: evil }
    const { body } = issueDraft(
      someFacts({ order, analysis, ...texts, duplicates: duplicatesOf([similar(1, 8, evil)]) }),
    )
    const rendered = outsideOfCode(body)
    expect(rendered).not.toMatch(/@everyone|<script|fixes #1|http:\/\/b/)
    expect(rendered.match(/<\/?details>/g)).toEqual(['<details>', '</details>', '<details>', '</details>'])
    expect(rendered.match(/^#+ .*/gm)?.every((line) => line.startsWith('## '))).toBe(true)
  })
})

/** What GitHub would look at for markup: the body without fenced blocks and code spans. */
function outsideOfCode(body: string): string {
  const blocks = body.replace(/^(`{3,})[a-z]*\n[\s\S]*?\n\1$/gm, '')
  return blocks.replace(/(?<![\\`])(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, '')
}

describe('limits', () => {
  it('a flood of everything stays below what GitHub takes, and says what was cut', () => {
    const flood = 'line with some <text> & `ticks` @x #1\n'.repeat(20_000)
    const order = aGenerateOrder()
    order.check_duplicates = { ...order.check_duplicates!, action: 'unknown', note: flood.slice(0, 400) }
    const analysis = anAnalysis({
      frames: Array.from({ length: 200 }, () => flood.slice(0, 5000)),
      hypotheses: [{ description: flood, confidence: 'low', evidence: Array.from({ length: 50 }, () => flood) }],
      suggested_sources: Array.from({ length: 50 }, () => ({ path: flood, reason: flood })),
    })
    const duplicates = duplicatesOf([1, 2, 3, 4, 5].map((number) => similar(number, 9, flood)))
    const texts = { testCase: flood, original: `x${flood}`, errorLog: flood, command: flood }
    const { title, body } = issueDraft(someFacts({ order, analysis, duplicates, ...texts }))
    expect(body.length).toBeLessThan(65_000)
    expect(title.length).toBeLessThanOrEqual(120)
    expect(body).toMatch(/Cut: the first \d+ of 20000 lines\./)
    expect(body).toMatch(/Cut: the first 30 of 20000 lines\./)
  })

  it('one line without end is cut too', () => {
    const { body } = issueDraft(someFacts({ testCase: '`'.repeat(1_000_000) }))
    expect(body.length).toBeLessThan(65_536)
  })
})

describe('privacy', () => {
  it('no planted folder or name comes out of any text', () => {
    const secret = fc.stringMatching(/^zq[a-z0-9]{3,8}$/)
    fc.assert(
      fc.property(secret, secret, fc.constantFrom('/home', '/Users', '/proj', '/tmp'), (user, folder, root) => {
        const path = `${root}/${user}/${folder}/bug.mlir`
        const analysis = anAnalysis({
          frames: [`foo(int) at ${path}:12`],
          hypotheses: [{ description: `breaks in ${path}`, confidence: 'low', evidence: [`${path}:3`] }],
          suggested_sources: [{ path: `${root}/${user}/circt/lib/X/Y.cpp`, reason: `found in ${path}` }],
        })
        const order = aGenerateOrder()
        order.minimize.signature = { ...order.minimize.signature, message: `cannot open ${path}` }
        order.check_duplicates = { ...order.check_duplicates!, action: 'unknown', note: `no ${path}` }
        const { title, body } = issueDraft(
          someFacts({
            order,
            analysis,
            command: `${root}/${user}/bin/circt-opt -I${root}/${user} --out=${path} {input}`,
            testCase: `// ${path}\nloc("${path}":1:2)\n`,
            original: `// made in ${path}\n`,
            errorLog: `${path}:1:2: error: x\n${user}@${folder}:~/x$ circt-opt\n #0 0x1 foo ${path}:1\n`,
            identities: [user, folder],
          }),
        )
        expect(`${title}\n${body}`).not.toMatch(/zq/)
      }),
      { numRuns: 60 },
    )
  })
})

describe('issue.md', () => {
  it.each([
    ['no heading', null],
    ['', null],
    ['# T', { title: 'T', labels: [], body: '\n' }],
    ['# T\r\n\r\nLabels: `a`, `b`\r\n\r\ntext', { title: 'T', labels: ['a', 'b'], body: 'text\n' }],
    ['\n# T\n\ntext\n\nLabels: `a`\n', { title: 'T', labels: [], body: 'text\n\nLabels: `a`\n' }],
  ])('%j is read back', (markdown, draft) => {
    expect(parseIssue(markdown)).toEqual(draft)
  })
})
