import { ResearchReport } from '../../contracts/phase-answers.js'
import { type ResearchExtract, ResearcherInput } from '../../contracts/phase-roles.js'
import { cutToBytes } from '../../rules/phase/byte-length.js'
import { oneLine } from '../../rules/phase/context-markdown.js'
import { artifactSection, briefSections, bullets, joinSections, projectSection, section } from '../prompt-sections.js'
import { defineRole, type Look } from '../role.js'

/** Seed 001, 5.9: finds out what a task needs to know, or why it does not succeed. */
export const researcher = defineRole({
  name: 'researcher',
  abilities: 'read',
  input: ResearcherInput,
  answer: ResearchReport,
  extract: ({ summary, recommendations }): ResearchExtract => ({
    summary: cutToBytes(oneLine(summary), 600),
    recommendations: recommendations.slice(0, 10).map((each) => cutToBytes(oneLine(each), 300)),
  }),
  prompt: promptOf,
})

async function promptOf({ brief, question, findings }: ResearcherInput, look: Look): Promise<string> {
  return joinSections('Research', [
    ...briefSections(brief),
    projectSection(brief.project),
    section('The question', question),
    await artifactSection(look, {
      heading: 'What was measured',
      label: 'the report of the last attempt',
      artifact: findings,
    }),
    section('Goals', bullets(GOALS)),
    section('Look into', bullets(AREAS)),
    section('How', HOW),
    section('Your answer', `A JSON object with\n${bullets(ANSWER)}`),
  ])
}

const GOALS = [
  'understand how such things are done, here and elsewhere',
  'name the tools and libraries that matter, first those the project has already',
  'find what the task needs to go on',
  'recommend what to do, so that somebody can act on it at once',
]

const AREAS = [
  'can it be done at all',
  'how it could be built',
  'what else could be done instead',
  'what is likely to go wrong',
]

const HOW =
  'Read what is in the worktree before you say something about it, and say what you could not find out. Specific beats complete: ' +
  'file, function, line, command.'

const ANSWER = [
  'summary: what you found, in a few sentences',
  'approaches: each with name, description, pros, cons, and a recommendation why to choose it or not',
  'tools: name, purpose, usage',
  'challenges and recommendations: one sentence each',
  'resources: type (documentation, article, example), url, description; only ones you know to exist',
]
