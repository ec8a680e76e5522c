import { FinalReview, ReviewInput } from '../../contracts/eval-answers.js'
import { reviewExtract } from '../../rules/eval/extracts.js'
import { criteriaSection, findingsSection, JURY_RULES } from '../jury-sections.js'
import { bullets, guidanceSection, joinSections, section } from '../prompt-sections.js'
import { defineRole, type Look } from '../role.js'
import { MAX_SHOWN, showCandidate } from '../show-candidate.js'

/** Round 4 of a jury: the candidate that would be recommended, held against the criteria one last time. */
export const finalReviewer = defineRole({
  name: 'final-reviewer',
  abilities: 'none',
  input: ReviewInput,
  answer: FinalReview,
  extract: reviewExtract,
  check: ({ checklist, verdict }) =>
    verdict === 'qualified' && checklist.some(({ status }) => status === 'fail')
      ? ['verdict: a candidate that fails an item of the checklist is not qualified']
      : [],
  prompt: promptOf,
})

async function promptOf({ candidate, criteria, guidance, findings }: ReviewInput, look: Look): Promise<string> {
  return joinSections('Last round: final review', [
    section('The task', TASK),
    criteriaSection(criteria),
    guidanceSection(guidance),
    JURY_RULES,
    findingsSection('Found on the way', findings),
    section('The candidate', await showCandidate(look, candidate, MAX_SHOWN)),
    section('Your answer', `A JSON object with\n${bullets(ANSWER)}`),
  ])
}

const TASK =
  'This candidate is about to be recommended. Go through the criteria one by one, then say whether it can be taken as it is, needs something done to it first, or must not be taken.'

const ANSWER = [
  'checklist: one entry per criterion and for anything else that decides, each with item, status (pass, warning, fail) and a note in one line',
  'verdict: qualified, needs_mitigation or disqualified; reason in one line',
]
