import { ExecutorAnswer } from '../../contracts/phase-answers.js'
import { type ExecutorExtract, ExecutorInput } from '../../contracts/phase-roles.js'
import type { GateName, QualityConfig } from '../../contracts/quality.js'
import { GATES } from '../../rules/quality.js'
import { briefSections, bullets, joinSections, projectSection, section, WORKTREE_RULES } from '../prompt-sections.js'
import { defineRole } from '../role.js'

/** Seed 001, 5.7: runs the gates and says what came out. The engine measures the same gates, and its word is the one that counts. */
export const executor = defineRole({
  name: 'executor',
  abilities: 'run',
  input: ExecutorInput,
  answer: ExecutorAnswer,
  extract: (answer, { gates }): ExecutorExtract => ({
    disagreements: gates
      .filter(({ name, status }) => answer[name].status !== status)
      .map(({ name, status }) => `${name}: measured ${status}, said to be ${answer[name].status}`),
  }),
  prompt: (input) => Promise.resolve(promptOf(input)),
})

function promptOf({ brief, quality }: ExecutorInput): string {
  return joinSections('Run the quality gates (Verify)', [
    ...briefSections(brief),
    projectSection(brief.project),
    section('Quality', bullets(settingsOf(quality))),
    section('What to do', WHAT),
    ...GATES.map((gate, index) => section(`${index + 1}. ${TITLES[gate]}`, ABOUT[gate](quality))),
    WORKTREE_RULES,
    section('Your answer', ANSWER),
  ])
}

function settingsOf(quality: QualityConfig): string[] {
  const word = (isOn: boolean) => (isOn ? 'yes' : 'no')
  return [
    `level: ${quality.level}`,
    `test-driven: ${word(quality.tdd)}`,
    `least coverage: ${quality.minCoverage} %`,
    `strict lint: ${word(quality.strictLint)}`,
    `security scan: ${word(quality.securityScan)}`,
    `end-to-end tests: ${word(quality.e2eTests)}`,
  ]
}

const WHAT =
  'Run all of these checks in this order, whatever the ones before said, with the commands of this project. Change no file. ' +
  'Report failures as failures: a gate that fails and is reported so is a job well done.'

const TITLES = {
  build: 'Build',
  test: 'Tests',
  coverage: 'Coverage',
  lint: 'Lint',
  security: 'Security',
  e2e: 'End-to-end tests',
  acceptance: 'Acceptance criteria',
} as const satisfies Record<GateName, string>

const ABOUT: Record<GateName, (quality: QualityConfig) => string> = {
  build: () => 'The build (`npm run build` in a Node project) must end without errors.',
  test: () => 'All tests (`npm test` in a Node project) must pass.',
  coverage: ({ minCoverage }) =>
    minCoverage > 0
      ? `With the coverage tool: at least ${minCoverage} % of lines. Report lines, functions and branches.`
      : 'No minimum is asked for: report lines, functions and branches if the project measures them, else skipped.',
  lint: ({ strictLint }) =>
    `The linter (\`npm run lint\` in a Node project)${strictLint ? ', warnings counted as errors' : ''}: no errors.`,
  security: ({ securityScan }) =>
    securityScan
      ? 'The audit of dependencies (`npm audit` in a Node project): none of high or critical severity.'
      : 'Not asked for: skipped.',
  e2e: ({ e2eTests }) =>
    e2eTests ? 'The end-to-end tests (`npm run e2e` in a Node project), if there are any.' : 'Not asked for: skipped.',
  acceptance: () => "The task's own criteria, from its description: each with how you checked it.",
}

const ANSWER =
  'A JSON object with one entry per gate: build, test, coverage, lint, security, e2e, acceptance. Each has a status (pass, fail, ' +
  'skipped: not asked for or nothing to run, unavailable: could not be run) and details; test has passed and failed, coverage has ' +
  'percentage, lint has errors, security has vulnerabilities, acceptance has criteria.'
