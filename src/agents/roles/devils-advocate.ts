import { Attack, AttackInput } from '../../contracts/eval-answers.js'
import { attackExtract } from '../../rules/eval/extracts.js'
import { criteriaSection, findingsSection, JURY_RULES } from '../jury-sections.js'
import { bullets, guidanceSection, joinSections, section } from '../prompt-sections.js'
import { defineRole, type Look } from '../role.js'
import { MAX_SHOWN, showCandidate } from '../show-candidate.js'

/** Round 3 of a jury: attacks a candidate that leads, with seven questions that all want an answer. */
export const devilsAdvocate = defineRole({
  name: 'devils-advocate',
  abilities: 'none',
  input: AttackInput,
  answer: Attack,
  extract: attackExtract,
  check: (answer) =>
    answer.final_judgment.recommendation === 'eliminate' && attackExtract(answer).criticals === 0
      ? ['final_judgment: eliminate wants at least one Critical defect among the items']
      : [],
  prompt: promptOf,
})

async function promptOf({ candidate, criteria, guidance, known_defects }: AttackInput, look: Look): Promise<string> {
  return joinSections('Third round: against the leader', [
    section('The task', TASK),
    section('The seven questions', bullets(QUESTIONS)),
    criteriaSection(criteria),
    guidanceSection(guidance),
    JURY_RULES,
    findingsSection('Known already', known_defects),
    section('The candidate', await showCandidate(look, candidate, MAX_SHOWN)),
    section('Your answer', `A JSON object with\n${bullets(ANSWER)}`),
  ])
}

const TASK =
  'This candidate leads. Try to bring it down: look for the reason why choosing it would be a mistake. An honest attack that finds nothing is worth as much ' +
  'as one that does.'

const QUESTIONS = [
  'fatal_defects: what in it would make it fail outright?',
  'hidden_costs: what does it cost that nobody sees at first?',
  'tech_debt: what will have to be paid back later?',
  'scaling_bottlenecks: what breaks when there is ten times, a hundred times as much?',
  'external_risks: on what outside of it does it depend?',
  'test_blind_spots: what would no test of today notice?',
  'team_skill_gaps: what must people know to live with it?',
]

const ANSWER = [
  'attack_report: for each of the seven questions an answer in words (when there is nothing, why not) and at most five items, each with title and severity (Critical, Major, Minor)',
  'final_judgment: recommendation (eliminate, continue, require_mitigation), critical_defect_count, confidence (High, Medium, Low), reason in one line',
]
