import { AnalysisInput, DefectAnalysis } from '../../contracts/eval-answers.js'
import { analysisExtract } from '../../rules/eval/extracts.js'
import { criteriaSection, findingsSection, JURY_RULES } from '../jury-sections.js'
import { bullets, guidanceSection, joinSections, section } from '../prompt-sections.js'
import { defineRole, type Look } from '../role.js'
import { MAX_SHOWN, showCandidate } from '../show-candidate.js'

/** Round 2 of a jury: what is wrong with one candidate, from several angles, each with evidence. */
export const defectAnalyst = defineRole({
  name: 'defect-analyst',
  abilities: 'none',
  input: AnalysisInput,
  answer: DefectAnalysis,
  extract: analysisExtract,
  check: ({ defects, none_found }) => {
    const found = new Set(defects.map(({ category }) => category))
    const both = none_found.filter(({ angle }) => found.has(angle)).map(({ angle }) => angle)
    return both.map((angle) => `none_found: ${angle} has a defect, so that something was found there`)
  },
  prompt: promptOf,
})

async function promptOf(input: AnalysisInput, look: Look): Promise<string> {
  const { candidate, criteria, guidance, analysis_angles, context } = input
  return joinSections('Second round: defects of one candidate', [
    section('The task', TASK),
    section('Angles', bullets(analysis_angles)),
    criteriaSection(criteria),
    guidanceSection(guidance),
    JURY_RULES,
    findingsSection('Said in the first round', context),
    section('The candidate', await showCandidate(look, candidate, MAX_SHOWN)),
    section('Your answer', `A JSON object with\n${bullets(ANSWER)}`),
  ])
}

const TASK =
  'Find the defects that matter, at most five, and look from at least three of the angles. Where you looked and found nothing, say so with a ' +
  'quotation of what you looked at. Do not make up defects to fill the list: quotations are looked up in the candidate.'

const ANSWER = [
  'defects: each with id, title, severity (Critical: must not be used like this; Major: will cost somebody; Minor), category (an angle), description, impact, mitigation, evidence (one to five quotations, to the letter)',
  'none_found: angles without a defect, each with evidence (quotations of what you looked at)',
  'overall_score: total from 0 to 10, by_angle for the angles you looked at',
  'strengths: at most three',
]
