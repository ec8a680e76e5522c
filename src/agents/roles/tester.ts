import { TesterAnswer } from '../../contracts/phase-answers.js'
import { TesterInput, type ToldExtract } from '../../contracts/phase-roles.js'
import { testFrameworkHint } from '../../rules/phase/tech-stack.js'
import {
  artifactSection,
  briefSections,
  bullets,
  joinSections,
  projectSection,
  section,
  WORKTREE_RULES,
} from '../prompt-sections.js'
import { defineRole, type Look } from '../role.js'
import { toldExtract } from '../told-extract.js'

/** Seed 001, 5.5: tests that fail by assertion, before there is anything that could make them pass. */
export const tester = defineRole({
  name: 'tester',
  abilities: 'run',
  input: TesterInput,
  answer: TesterAnswer,
  extract: ({ tests, ...told }): ToldExtract =>
    toldExtract(
      told,
      tests.map(({ file, verifies }) => ({ file, purpose: verifies })),
    ),
  prompt: promptOf,
})

async function promptOf({ brief, complaint, report, research }: TesterInput, look: Look): Promise<string> {
  return joinSections('Write tests first (TDD, RED)', [
    ...briefSections(brief),
    projectSection(brief.project),
    section('What the tests should settle', bullets(QUESTIONS)),
    section('The goal: RED', GOAL),
    section('Test framework', testFrameworkHint(brief.project.techStack)),
    section('Rules', bullets(RULES)),
    WORKTREE_RULES,
    complaint === null ? null : section('Your last attempt was not taken', complaint),
    await artifactSection(look, {
      heading: 'What was measured then',
      label: 'the report of the tests',
      artifact: report,
    }),
    await artifactSection(look, { heading: 'What a researcher found', label: 'a research report', artifact: research }),
    section('Your answer', `A JSON object with\n${bullets(ANSWER)}`),
  ])
}

const QUESTIONS = [
  'What should the code do, as somebody who uses it would see it?',
  'Which edge cases are there: nothing, one, many, the largest, the odd one?',
  'Which errors must be handled, and how does a caller notice them?',
]

const GOAL =
  'Write tests that define the behaviour the task asks for, cover usual cases, edge cases and errors, and MUST FAIL now. The engine ' +
  'runs them: a new test has to run and fail by an assertion. Tests that pass already prove nothing about the task, tests that do ' +
  'not load (a missing module, a syntax error) prove nothing at all. Where the code under test does not exist yet, add the smallest ' +
  'stub that lets the tests load: right names and signatures, wrong results. Implement nothing more than that.'

const RULES = [
  "put test files where the project keeps its tests, and use the project's own framework and style",
  "a test's name says what is expected",
  'each test stands on its own: no order, no state left over, no clock, no network',
  'assertions are specific enough that only the right behaviour meets them',
]

const ANSWER = [
  'summary: what the tests cover, and how they ended when you ran them',
  'tests: each test file with what it verifies',
  'decisions, suggestions (for develop, verify or accept): what others should know; leave out what is obvious',
  'blocked: only when the task cannot be tested with what you know; say what is missing',
]
