import { ReviewReply } from '../../contracts/review-answers.js'
import { CodeReviewerInput } from '../../contracts/review-roles.js'
import type { ReviewerExtract } from '../../contracts/review-run.js'
import type { ReviewTask } from '../../contracts/review-task.js'
import { fence } from '../../rules/fence.js'
import { bullets, joinSections, section } from '../prompt-sections.js'
import { defineRole } from '../role.js'
import { showPartOf } from '../show-part-of.js'

const WHAT =
  'Review the code below. Lines begin with their number in the version under review, then a mark: + was added, - was removed, a blank is there to ' +
  'understand the others. Judge what was added, and what removing something breaks. Of files shown as they stand judge all.'

const CHECKS = [
  'Security: what a stranger can run, read, change or guess; what is trusted and should not be; secrets',
  'Functionality: what does not do what it is for, at the edges and when something fails',
  'Performance: time or memory that grows faster than the work; waiting that stops others',
  'Quality: what the next reader will misunderstand or the next change will break',
]

const RULES = [
  'report only what you can show in these lines, and who or what it harms, with which input or in which situation',
  'existingCode is quoted word for word from lines that are there, at least one of them added or right beside a removed one; the engine looks every ' +
    'quotation up, and an issue whose quotation is not there is thrown away and counted against the review',
  'suggestionLine is the number of the line the issue is about',
  'improvedCode takes the place of existingCode, whole and ready to use; it is never the same code',
  'suggestionContent says cause, effect and remedy',
  'one issue per place and cause; nothing found is a good answer: an empty list',
  'severity: Critical when strangers get in or data is lost, High when it goes wrong for users, Medium when it may, Low for the rest. Most issues are not Critical',
]

const ANSWER = [
  'task_id: as given',
  'issues: each with id (ISSUE-001, …), relevantFile, existingCode, suggestionContent, improvedCode, label (Quality, Security, Performance or Functionality), ' +
    'suggestionLine, severity (Critical, High, Medium or Low)',
  'summary: total_issues, severity_distribution, overall_assessment, priority_recommendations',
  'only if you cannot review at all: {"task_id", "status": "ERROR", "message"} instead',
]

/** Seed 004, 3.3 and 5.1. */
export const codeReviewer = defineRole({
  name: 'code-reviewer',
  abilities: 'none',
  input: CodeReviewerInput,
  answer: ReviewReply,
  extract: ({ status, message, issues }): ReviewerExtract => ({
    is_error: status === 'ERROR',
    message: (message ?? '').slice(0, 1_000),
    issues: issues?.length ?? 0,
  }),
  prompt: async ({ task, part }, look) =>
    joinSections('Code review', [
      section('What to do', WHAT),
      section('The task', fence('the task as it was given', JSON.stringify(task, null, 2))),
      retrySection(task),
      section('What to look for', bullets(CHECKS)),
      section('Rules', bullets(RULES)),
      section('The code', await showPartOf(look, part)),
      section('Your answer', `A JSON object with\n${bullets(ANSWER)}`),
    ]),
})

/** What went wrong before, and what is asked for because of it. */
export function retrySection({ retry_context }: ReviewTask): string | null {
  if (retry_context === undefined) return null
  const { attempt_number, previous_errors } = retry_context
  const told = fence('what went wrong before', bullets(previous_errors))
  return section(`This is attempt ${attempt_number}`, `Do not repeat what went wrong before.\n${told}`)
}
