import { WriterAnswer, type WriterExtract, WriterInput } from '../../contracts/refine-answers.js'
import { fence } from '../../rules/fence.js'
import { artifactSection, bullets, guidanceSection, joinSections, section, WORKTREE_RULES } from '../prompt-sections.js'
import { defineRole, type Look } from '../role.js'
import { answerLanguage, stackSection } from '../round-prompt.js'

/** Background 2.1: writes the code of a round, and on later rounds mends exactly what the feedback names. */
export const codeWriter = defineRole({
  name: 'code-writer',
  abilities: 'run',
  input: WriterInput,
  answer: WriterAnswer,
  extract: ({ confidence, changes_made, files_modified }): WriterExtract => ({
    confidence,
    changes: changes_made.slice(0, 10).map((change) => change.slice(0, 200)),
    claimed_files: files_modified.length,
  }),
  prompt: promptOf,
})

async function promptOf(input: WriterInput, look: Look): Promise<string> {
  const { round, tech_stack, documents, feedback, guidance, notes, lang } = input
  const isFirst = feedback === null
  const [requirement, ...others] = documents
  const shown = await Promise.all(
    others.map(({ name, artifact }) => artifactSection(look, { ...namedPlainly(name), artifact })),
  )
  return joinSections(`Write the code (round ${round})`, [
    section('What to do', isFirst ? FIRST : AGAIN),
    requirement === undefined ? null : wantedSection(await look.artifact(requirement.artifact)),
    ...shown,
    stackSection(tech_stack),
    guidanceSection(guidance),
    notes.length === 0 ? null : section('What the engine noticed', fence('notes that quote reviews', bullets(notes))),
    await artifactSection(look, { heading: 'Feedback', label: 'what three reviewers found', artifact: feedback }),
    section('Rules', bullets([...(isFirst ? [] : ONLY_FEEDBACK), ...RULES])),
    WORKTREE_RULES,
    section('Your answer', [`A JSON object with\n${bullets(ANSWER)}`, answerLanguage(lang)].join('\n')),
  ])
}

/** The one text that is to be obeyed: the person chose it. It is fenced all the same, so that nothing in it looks like ours. */
function wantedSection(text: string): string {
  const block = fence('', text).split('\n').slice(1)
  return section('The requirement', ['What the person who runs this wants, word for word:', ...block].join('\n'))
}

/** Names are paths of a repository: what could be read as more than a name is taken out. */
function namedPlainly(name: string): { heading: string; label: string } {
  const plain = name.replaceAll(/[^\p{L}\p{N} ._/-]+/gu, '_').slice(0, 120)
  return { heading: plain, label: plain }
}

const FIRST =
  'Write, in the files of the current folder, the code that the requirement asks for. A security, a quality and a performance reviewer judge it ' +
  'afterwards, without seeing your answer: only the files count.'

const AGAIN =
  'The current folder holds the code as the last round left it. Three reviewers have judged it; their feedback is below. Mend what it names, worst ' +
  'first: Critical issues must go, High ones should, Medium ones where it is cheap.'

const ONLY_FEEDBACK = [
  'fix only what the feedback names; what nobody complained of stays as it is',
  'an issue that is not really there stays unmended: say so in "notes", with the reason',
]

const RULES = [
  'no new dependencies',
  "follow the project's conventions, names and structure, and the tech stack above in its versions",
  'handle the errors and edge cases that the requirement implies; validate what comes from outside',
  'do not weaken what judges your work: tests, lint rules, configuration, comments that switch a check off',
  'tests that were there must still pass; run them when you can',
]

const ANSWER = [
  'files_modified: path of each file you made or changed, relative to the folder',
  'changes_made: one sentence for each change, with what it mends',
  'confidence: from 0 to 1, that this round will pass',
  'notes: what a reader should know; empty when there is nothing',
  'tech_stacks_used, cross_language_notes: only where the change spans several languages',
]
