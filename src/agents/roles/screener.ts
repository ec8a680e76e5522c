import { Screening, ScreeningInput } from '../../contracts/eval-answers.js'
import { screeningExtract } from '../../rules/eval/extracts.js'
import { criteriaSection, JURY_RULES } from '../jury-sections.js'
import { bullets, guidanceSection, joinSections, section } from '../prompt-sections.js'
import { defineRole, type Look } from '../role.js'
import { MAX_SHOWN, showCandidate } from '../show-candidate.js'

/** Round 1 of a jury: reads everybody in the given order, gives marks, and may vote one of them out. */
export const screener = defineRole({
  name: 'screener',
  abilities: 'none',
  input: ScreeningInput,
  answer: Screening,
  extract: screeningExtract,
  check: checkScreening,
  prompt: promptOf,
})

/** The seed's coverage is 90 % of the candidates; a vote for somebody who was not shown would be lost silently. */
const LEAST_COVERAGE = 0.9

function checkScreening(answer: Screening, { candidates }: ScreeningInput): string[] {
  const labels = candidates.map(({ label }) => label)
  const assessed = Object.keys(answer.quick_assessments).map((label) => label.trim())
  const strange = assessed.filter((label) => !labels.includes(label))
  const missing = labels.filter((label) => !assessed.includes(label))
  const { eliminated } = answer.elimination_decision
  const isKnown = eliminated === null || labels.includes(eliminated.trim())
  return [
    ...strange.map(
      (label) => `quick_assessments: expected the labels ${labels.join(', ')}, got ${JSON.stringify(label)}`,
    ),
    ...(labels.length - missing.length < LEAST_COVERAGE * labels.length
      ? [`quick_assessments: expected every candidate, missing ${missing.join(', ')}`]
      : []),
    ...(isKnown ? [] : [`elimination_decision.eliminated: expected one of ${labels.join(', ')} or null`]),
  ]
}

async function promptOf({ candidates, criteria, guidance }: ScreeningInput, look: Look): Promise<string> {
  const each = Math.floor(MAX_SHOWN / candidates.length)
  const shown: string[] = []
  for (const candidate of candidates) shown.push(await showCandidate(look, candidate, each))
  return joinSections('First round: screening', [
    section('The task', TASK),
    criteriaSection(criteria),
    guidanceSection(guidance),
    JURY_RULES,
    section('The candidates, in the order to read them', shown.join('\n\n')),
    section('Your answer', `A JSON object with\n${bullets(ANSWER)}`),
  ])
}

const TASK =
  'Read all candidates in the order given. Mark each of them, then say which single one should be dropped, if one is clearly the weakest. ' +
  'Dropping nobody is an answer too.'

const ANSWER = [
  'reading_order_confirmed: the labels in the order you read them',
  'quick_assessments: for every label a summary in one line, a score from 1 (useless) to 10 (excellent), at most five strengths and five weaknesses. Use the whole scale: marks that are all alike help nobody',
  'elimination_decision: eliminated (one label, or null for nobody), reason in one line, confidence (High, Medium, Low), margin: by how many points it is worse than the next, or null',
]
