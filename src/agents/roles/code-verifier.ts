import { parseJson } from '../../contracts/parse.js'
import { tooLow, VerifyReply } from '../../contracts/review-answers.js'
import { GroundedPart } from '../../contracts/review-part.js'
import { CodeVerifierInput } from '../../contracts/review-roles.js'
import type { VerifierExtract } from '../../contracts/review-run.js'
import { fence } from '../../rules/fence.js'
import { issueId } from '../../rules/review/issue-id.js'
import { bullets, joinSections, section } from '../prompt-sections.js'
import { defineRole, type Look } from '../role.js'
import { showPartOf } from '../show-part-of.js'
import { retrySection } from './code-reviewer.js'

const WHAT =
  'Another agent reviewed the code below. Its issues have been held against the code: every quotation is there. Whether what they say of it is true is for ' +
  'you to find out, issue by issue, from the code alone. Issues that were untrue already are listed for the judgement of the whole; they are out whatever you say.'

const RULES = [
  'CORRECT: the harm is real with this code. INCORRECT: it is not, or it is caught elsewhere in these lines. PARTIALLY_CORRECT: real, but not as it is told',
  'evidence names the lines and the reason; "looks right" is none',
  'deletion_required when the issue must not reach the author: untrue, already mended, or against a requirement of the task; say why',
  'compliance is about the requirements of the task; without any, all are COMPLIANT',
  'overall_score is of the review as a whole: are its issues true, do they matter, are they told so that one can act. Below 50 it is done again',
  'missing_issues: what matters and was not told, with its lines',
]

const ANSWER = [
  'task_id: as given',
  'verification_result.accuracy_check: one for every issue: issue_id, accuracy_status, evidence, deletion_required, deletion_reason',
  'verification_result.rule_compliance_check: issue_id, compliance_status (COMPLIANT or VIOLATED), violated_rules, deletion_required, violation_reason',
  'verification_result.quality_assessment: overall_score (0 to 100), quality_level (EXCELLENT, GOOD, ACCEPTABLE or POOR), strengths, weaknesses, ' +
    'missing_issues (each description, evidence, suggested_severity)',
  'below 50 instead: {"task_id", "status": "ERROR", "error_type": "QUALITY_TOO_LOW", "message", "quality_issues": [...], "recommended_action"}',
  'only if you cannot verify at all: {"task_id", "status": "ERROR", "message"}',
]

/** Seed 004, 3.3 and 5.2. */
export const codeVerifier = defineRole({
  name: 'code-verifier',
  abilities: 'none',
  input: CodeVerifierInput,
  answer: VerifyReply,
  extract: verifierExtract,
  check: (reply, { issues }) => coverageComplaints(reply, issues),
  prompt: async ({ task, part, grounded }, look) =>
    joinSections('Verification of a code review', [
      section('What to do', WHAT),
      section('The task', fence('the task as it was given', JSON.stringify(task, null, 2))),
      retrySection(task),
      section('Rules', bullets(RULES)),
      section('The code', await showPartOf(look, part)),
      section('The review', await showReview(look, grounded)),
      section('Your answer', `A JSON object with\n${bullets(ANSWER)}`),
    ]),
})

function verifierExtract({
  status,
  error_type,
  message = '',
  quality_issues,
  verification_result,
}: VerifyReply): VerifierExtract {
  const low = verification_result === undefined ? null : tooLow(verification_result)
  const isTooLow = status === 'ERROR' ? error_type === 'QUALITY_TOO_LOW' : low !== null
  const outcome = isTooLow ? 'too_low' : status === 'ERROR' ? 'error' : 'ok'
  const reasons = low ?? quality_issues ?? []
  return {
    outcome,
    message: message.slice(0, 1_000),
    quality_issues: (reasons.length === 0 && isTooLow ? [message] : reasons)
      .slice(0, 20)
      .map((text) => text.slice(0, 500)),
  }
}

/** Every issue is judged, and no other. */
function coverageComplaints({ verification_result }: VerifyReply, issues: number): string[] {
  if (verification_result === undefined) return []
  const wanted = Array.from({ length: issues }, (_, index) => issueId(index + 1))
  const judged = new Set(verification_result.accuracy_check.map(({ issue_id }) => issue_id))
  const missing = wanted.filter((id) => !judged.has(id))
  const unknown = [...judged].filter((id) => !wanted.includes(id))
  const list = (ids: readonly string[]) => ids.slice(0, 10).join(', ')
  return [
    ...(missing.length === 0 ? [] : [`accuracy_check: expected one for every issue, got none for ${list(missing)}`]),
    ...(unknown.length === 0 ? [] : [`accuracy_check: ${list(unknown).slice(0, 300)} is no issue of this review`]),
  ]
}

async function showReview(look: Look, sha256: string): Promise<string> {
  const { findings, filtered } = parseJson(GroundedPart, await look.whole({ name: 'review', sha256 }), 'review')
  const issues = findings.map(
    ({ id, relevantFile, suggestionLine, label, severity, existingCode, suggestionContent, improvedCode }) =>
      `${id} ${relevantFile}:${suggestionLine} ${label} ${severity}\n${suggestionContent}\nexistingCode:\n${existingCode}\nimprovedCode:\n${improvedCode}`,
  )
  const untrue = filtered.map(
    ({ relevantFile, suggestionLine, reason, detail }) => `${relevantFile}:${suggestionLine} ${reason}: ${detail}`,
  )
  return [
    fence('issues of the review', issues.join('\n\n') || 'none'),
    ...(untrue.length === 0 ? [] : [fence('issues that are out already', bullets(untrue.slice(0, 100)))]),
  ].join('\n\n')
}
