import { someReview } from './phase-answers.js'
import { someTask } from './phase-tasks.js'

/** A project whose tests need nothing installed, and which asks for RED but for no gate that takes long. */
export const SMALL_PROJECT = {
  'package.json': JSON.stringify({
    name: 'numbers',
    private: true,
    type: 'module',
    scripts: { test: 'node --test test/' },
    gauntlet: { quality: { level: 'fast', tdd: true } },
  }),
  'src/sum.js': 'export const sum = (numbers) => numbers.reduce((total, each) => total + each, 0)\n',
  'test/sum.test.js': test('sum', 'sum([1, 2]), 3'),
}

function test(name: string, ...claims: string[]): string {
  const head = `import assert from 'node:assert/strict'\nimport { it } from 'node:test'\nimport { ${name} } from '../src/${name}.js'\n`
  return [head, ...claims.map((claim) => `it('${claim}', () => assert.equal(${claim}))\n`)].join('\n')
}

const first = someTask(1, {
  title: 'Mean',
  description: 'mean(numbers); none of them is 0.',
  artifacts: ['src/mean.js'],
})
const second = someTask(2, { title: 'Spread', description: 'spread(numbers): largest less smallest.', artifacts: [] })

const tests = { summary: 'Tests.', tests: [] }
const code = { summary: 'Done. All tests pass.', files: [] }
const write = (path: string, content: string) => ({ path, content })

/**
 * Two tasks side by side, with a mistake for every way of going on: prose around the plan, a coder who is red, tests that pass at
 * once.
 */
export const SMALL_SCRIPT = {
  answers: [
    { role: 'planner', text: `Here it is:\n\`\`\`json\n${JSON.stringify([first, second])}\n\`\`\`` },
    {
      role: 'tester',
      task_id: 'TASK-001',
      edits: [
        write('test/mean.test.js', test('mean', 'mean([1, 2]), 1.5', 'mean([]), 0')),
        write('src/mean.js', 'export const mean = () => Number.NaN\n'),
      ],
      answer: tests,
    },
    {
      role: 'coder',
      task_id: 'TASK-001',
      round: 1,
      edits: [
        write('src/mean.js', "import { sum } from './sum.js'\nexport const mean = (all) => sum(all) / all.length\n"),
      ],
      answer: code,
    },
    {
      role: 'coder',
      task_id: 'TASK-001',
      round: 2,
      edits: [
        write(
          'src/mean.js',
          "import { sum } from './sum.js'\nexport const mean = (all) => (all.length === 0 ? 0 : sum(all) / all.length)\n",
        ),
      ],
      answer: code,
    },
    { role: 'reviewer', task_id: 'TASK-001', answer: someReview() },
    {
      role: 'tester',
      task_id: 'TASK-002',
      round: 1,
      edits: [write('test/spread.test.js', test('sum', 'sum([3]), 3'))],
      answer: tests,
    },
    {
      role: 'tester',
      task_id: 'TASK-002',
      round: 2,
      edits: [
        write('test/spread.test.js', test('spread', 'spread([3, 1, 2]), 2')),
        write('src/spread.js', 'export const spread = () => -1\n'),
      ],
      answer: tests,
    },
    {
      role: 'coder',
      task_id: 'TASK-002',
      edits: [write('src/spread.js', 'export const spread = (all) => Math.max(...all) - Math.min(...all)\n')],
      answer: code,
    },
    { role: 'reviewer', task_id: 'TASK-002', answer: someReview() },
  ],
}
