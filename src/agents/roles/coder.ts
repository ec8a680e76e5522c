import { CoderAnswer } from '../../contracts/phase-answers.js'
import { CoderInput, type ToldExtract } from '../../contracts/phase-roles.js'
import {
  artifactSection,
  briefSections,
  bullets,
  filesSection,
  joinSections,
  projectSection,
  section,
  WORKTREE_RULES,
} from '../prompt-sections.js'
import { defineRole, type Look } from '../role.js'
import { toldExtract } from '../told-extract.js'

/** Seed 001, 5.6: code that makes the tests pass. */
export const coder = defineRole({
  name: 'coder',
  abilities: 'run',
  input: CoderInput,
  answer: CoderAnswer,
  extract: ({ files, ...told }): ToldExtract => toldExtract(told, files),
  prompt: promptOf,
})

async function promptOf(input: CoderInput, look: Look): Promise<string> {
  const { brief, tests, why, complaint, conflicts, report, research } = input
  return joinSections('Implement (GREEN)', [
    ...briefSections(brief),
    projectSection(brief.project),
    await filesSection(look, { heading: 'The tests', paths: tests }),
    section('The goal: GREEN', tests.length === 0 ? GOAL_WITHOUT_TESTS : GOAL),
    section('How', bullets(GUIDELINES)),
    section('Rules', bullets([...(tests.length === 0 ? [] : [PROTECTED]), ...RULES])),
    WORKTREE_RULES,
    why === 'first' ? null : section(WHY[why], complaint ?? 'See the report below.'),
    conflicts.length === 0 ? null : section('Files that could not be merged', bullets(conflicts)),
    await artifactSection(look, { heading: 'The report', label: 'what was measured or reviewed', artifact: report }),
    await artifactSection(look, { heading: 'What a researcher found', label: 'a research report', artifact: research }),
    section('Your answer', `A JSON object with\n${bullets(ANSWER)}`),
  ])
}

const GOAL =
  'Make ALL tests pass, those above and those that were there before. Read each test and understand what it asks for; do not write ' +
  'code that only recognises the tests. The engine runs the tests afterwards: that run decides, not what you say of it. When they ' +
  'fail, go on until they pass.'

const GOAL_WITHOUT_TESTS =
  'Do what the task asks for. All tests that are there must pass afterwards; the engine runs them, and that run decides.'

const GUIDELINES = [
  'read before you write: the tests, the code around, how the project does such things',
  "follow the project's conventions, names and structure",
  'keep it clean and simple: no complexity that nothing asks for, no unrelated changes',
  'handle the edge cases and errors that the tests and the task name',
  'comment what is not obvious, and only that',
]

const PROTECTED = "the test files above are the tester's: change, move or delete none of them, or the attempt is void"

const RULES = [
  'do not weaken what judges your work: test configuration, lint rules, coverage thresholds, scripts',
  'run the tests yourself before you answer',
]

const WHY = {
  again: 'Your last attempt did not succeed',
  diagnosed: 'Your attempts did not succeed, and a researcher has looked at them',
  gates: 'The quality gates failed on your work',
  review: 'The review did not approve your work',
  conflict: 'Your accepted work could not be merged with what others did meanwhile',
  retry: 'A person asks you to try again',
} as const satisfies Record<Exclude<CoderInput['why'], 'first'>, string>

const ANSWER = [
  'summary: what you did, and how the tests ended when you ran them',
  'files: each file you made or changed, with its purpose',
  'decisions: the choices that others must know to go on, each with reason and impact',
  'suggestions: what verify or accept should look at',
  'blocked: only when you cannot go on with what you know; say what is missing',
]
