import { hostname } from 'node:os'
import { describe, expect, it } from 'vitest'
import { GenerateOrder, GenerateResult } from '../../../src/contracts/circt.js'
import { parseIssue } from '../../../src/rules/circt/issue-text-file.js'
import { generateIssue } from '../../../src/tools/circt/generate-issue.js'
import { anAnalysis } from '../../support/circt-analysis.js'
import { aGenerateOrder } from '../../support/circt-issue.js'
import { memoryStore } from '../../support/memory-store.js'

const duplicates = {
  version: '1.0',
  timestamp: '2026-01-28T14:00:00.000Z',
  search_terms: { dialect: null, failing_pass: null, crash_type: 'crash', keywords: [], assertion_message: null },
  results: {
    total_found: 1,
    top_score: 9,
    issues: [
      {
        number: 77,
        title: 'an older one',
        body: '',
        labels: [],
        state: 'closed',
        url: '',
        createdAt: null,
        similarity_score: 9,
        reasons: [],
      },
    ],
  },
  recommendation: { action: 'review_existing', confidence: 'low', reason: 'x' },
}

async function aRun() {
  const store = memoryStore()
  const put = (name: string, content: unknown) =>
    store.put(name, typeof content === 'string' ? content : JSON.stringify(content), 'text/plain')
  const order = aGenerateOrder()
  order.case.source = await put('source.sv', 'module original; endmodule\n')
  order.case.error = await put('error.txt', `Crash Type: crash\nHash: 1\non ${hostname()}\n`)
  order.minimize.artifacts = [
    await put('bug.mlir', 'hw.module @m() {}\n'),
    await put('error.log', `dies on ${hostname()}-\n`),
    await put('command.txt', 'circt-opt --canonicalize bug.mlir\n'),
    await put('minimize_report.md', 'reduced by circt-reduce\n'),
  ]
  const analysis = [await put('analysis.json', anAnalysis({ dialect: 'comb' })), await put('root_cause.md', '# x')]
  order.root_cause_analysis = { ...order.root_cause_analysis!, artifacts: analysis }
  order.check_duplicates = { ...order.check_duplicates!, artifacts: [await put('duplicates.json', duplicates)] }
  return { store, put, order: GenerateOrder.parse(order) }
}

describe('issue.md', () => {
  it('is written from the files of all steps', async () => {
    const { store, order } = await aRun()
    const result = GenerateResult.parse(await generateIssue(order, { store }))
    expect(result.artifacts.map(({ name }) => name)).toEqual(['issue.md'])
    const text = (await store.get(result.artifacts[0]!)).toString('utf8')
    const draft = parseIssue(text)
    expect(draft).toMatchObject({ title: result.title, labels: ['Comb', 'crash', 'found-by-fuzzing'] })
    for (const part of [
      'circt-opt --canonicalize bug.mlir',
      '@m() {}',
      'module original',
      '#77 `an older one`',
      'circt-reduce',
    ]) {
      expect(draft?.body).toContain(part)
    }
  })

  it('is the same artifact when the step runs twice', async () => {
    const { store, order } = await aRun()
    const [first, second] = [await generateIssue(order, { store }), await generateIssue(order, { store })]
    expect(second).toEqual(first)
  })

  it('can do without the steps that may fail', async () => {
    const { store, order } = await aRun()
    const lost = { root_cause_analysis: null, validate: null, check_duplicates: null }
    const result = await generateIssue({ ...order, ...lost }, { store })
    const text = (await store.get(result.artifacts[0]!)).toString('utf8')
    expect(text.split('## Caveats')[1]?.match(/^- /gm)).toHaveLength(3)
  })

  it('says which file is missing, and which does not fit', async () => {
    const { store, put, order } = await aRun()
    const minimize = {
      ...order.minimize,
      artifacts: order.minimize.artifacts.filter(({ name }) => name !== 'error.log'),
    }
    await expect(generateIssue({ ...order, minimize }, { store })).rejects.toMatchObject({
      type: 'Contract.Violated',
      message: expect.stringMatching(/error\\?\.log.*got bug\.mlir, command\.txt/),
    })
    const broken = { ...order.root_cause_analysis!, artifacts: [await put('analysis.json', '{}')] }
    await expect(generateIssue({ ...order, root_cause_analysis: broken }, { store })).rejects.toMatchObject({
      type: 'Contract.Violated',
      message: expect.stringMatching(/^analysis\.json: /),
    })
  })
})
