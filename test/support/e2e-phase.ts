import { PhaseResult } from '../../src/contracts/phase-run.js'
import { ResultDocument } from '../../src/contracts/run.js'
import type { Ended } from './e2e-cli.js'
import type { Deed, Question } from './e2e-desk.js'
import { aRepository, type Files } from './git-repository.js'
import { someReview } from './phase-answers.js'

/** A project without dependencies. `seconds`: what its tests may take; `files`: they are looked for nowhere else. */
export function sumsRepository(more: Files = {}, { seconds = 300, files = [] as string[] } = {}): string {
  const quality = { minCoverage: 0, strictLint: false, securityScan: false, e2eTests: false, unavailable: 'warn' }
  const command = ['node', '--test', '--test-reporter=tap', '--test-reporter-destination={report}', ...files]
  return aRepository({
    'package.json': JSON.stringify({
      name: 'sums',
      version: '1.0.0',
      type: 'module',
      gauntlet: { quality, gates: { test: { command, report: 'tap', seconds } } },
    }),
    'src/one.js': 'export const one = 1\n',
    'test/one.test.js': testOf('one', 'one === 1'),
    ...more,
  })
}

/** Answers for `sumsRepository`: the instruction is the number of tasks, which know nothing of each other. */
export function answerAboutSums({ role, task_id: id, input }: Question): Deed {
  const name = id === 'TASK-001' ? 'add' : 'times'
  const sign = id === 'TASK-001' ? '+' : '*'
  if (role === 'planner') return { answer: planOf((input as { instruction: string }).instruction.charAt(0)) }
  if (role === 'reviewer') return { answer: someReview() }
  if (role === 'coder')
    return {
      edits: { [`src/${name}.js`]: `export const ${name} = (a, b) => a ${sign} b\n` },
      answer: { summary: 'written', files: [] },
    }
  if (role !== 'tester') throw new Error(`nobody expected a ${role}`)
  return {
    edits: {
      [`test/${name}.test.js`]: testOf(name, `${name}(2, 3) === 2 ${sign} 3`),
      [`src/${name}.js`]: `export const ${name} = () => 0\n`,
    },
    answer: { summary: 'tests', tests: [] },
  }
}

/** What all agents of so many tasks write. */
export function sumsEdits(tasks: number): Record<string, string> {
  const ids = ['TASK-001', 'TASK-002'].slice(0, tasks)
  const deeds = ids.flatMap((task_id) =>
    ['tester', 'coder'].map((role) => answerAboutSums({ role, task_id, input: null })),
  )
  return Object.assign({}, ...deeds.map(({ edits }) => edits)) as Record<string, string>
}

function planOf(count: string): unknown {
  return [1, 2].slice(0, Number(count)).map((number) => ({
    id: `TASK-00${number}`,
    title: number === 1 ? 'Add' : 'Multiply',
    description: 'A function.',
    dependencies: [],
    priority: 5,
    estimatedComplexity: 'low',
    agentType: 'coder',
    artifacts: [],
  }))
}

function testOf(name: string, truth: string): string {
  return [
    "import assert from 'node:assert/strict'",
    "import { test } from 'node:test'",
    `import { ${name} } from '../src/${name}.js'`,
    `test('${name}', () => assert.ok(${truth}))`,
    '',
  ].join('\n')
}

export function phaseResultOf({ stdout, stderr }: Ended): { document: ResultDocument; result: PhaseResult } {
  const document = ResultDocument.safeParse(stdout === '' ? null : JSON.parse(stdout))
  if (!document.success) throw new Error(`expected a result, got ${stdout}\n${stderr}`)
  return { document: document.data, result: PhaseResult.parse(document.data.result) }
}
