import { Resurrection, ResurrectionInput } from '../../contracts/eval-answers.js'
import { plainLine } from '../../rules/cli-progress.js'
import { criteriaSection, findingsSection, JURY_RULES } from '../jury-sections.js'
import { bullets, guidanceSection, joinSections, section } from '../prompt-sections.js'
import { defineRole, type Look } from '../role.js'
import { MAX_SHOWN, showCandidate } from '../show-candidate.js'

/** Round 4 of a jury: whether somebody who was voted out should come back, beside the best of those who stayed. */
export const resurrectionEvaluator = defineRole({
  name: 'resurrection-evaluator',
  abilities: 'none',
  input: ResurrectionInput,
  answer: Resurrection,
  extract: ({ decision, reason, confidence }) => ({ decision, confidence, reason: plainLine(reason).slice(0, 600) }),
  prompt: promptOf,
})

async function promptOf(input: ResurrectionInput, look: Look): Promise<string> {
  const { eliminated, survivor, reasons, survivor_defects, criteria, guidance } = input
  return joinSections('Last round: should it come back?', [
    section('The task', TASK),
    criteriaSection(criteria),
    guidanceSection(guidance),
    JURY_RULES,
    findingsSection('Why it was voted out', reasons),
    findingsSection('What was found in the one that stayed', survivor_defects),
    section('Voted out', await showCandidate(look, eliminated, MAX_SHOWN / 2)),
    section('The best of those who stayed', await showCandidate(look, survivor, MAX_SHOWN / 2)),
    section('Your answer', `A JSON object with\n${bullets(ANSWER)}`),
  ])
}

const TASK =
  'One candidate was voted out early; later its defects looked milder than those of the ones that stayed. Say whether it was wronged. It comes back only if it can ' +
  'be shown to be the better choice.'

const ANSWER = [
  'decision: resurrect, stay_eliminated, or needs_review when a person should decide',
  'reason in one line, confidence (High, Medium, Low)',
]
