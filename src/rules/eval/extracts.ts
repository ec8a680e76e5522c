import type { Attack, DefectAnalysis, FinalReview, Screening } from '../../contracts/eval-answers.js'
import { plainLine } from '../cli-progress.js'
import type { AttackSummary } from './attack-verdict.js'
import type { ScreeningExtract } from './screening.js'
import { ATTACK_QUESTIONS, SEVERITIES } from './words.js'

/** Reasons are shown in full in the dissent, so that they are kept whole up to here. */
const MAX_REASON = 600
const MAX_TITLE = 120

function line(text: string, most = MAX_REASON): string {
  return plainLine(text).slice(0, most)
}

/** What history keeps of each answer; the whole answer is an artifact. */
export function screeningExtract({ quick_assessments, elimination_decision }: Screening): ScreeningExtract {
  const { eliminated, reason, confidence } = elimination_decision
  const scores = Object.entries(quick_assessments).map(([label, { score }]) => [label.trim(), score] as const)
  return { scores: Object.fromEntries(scores), eliminated, reason: line(reason), confidence }
}

export interface AnalysisExtract {
  score: number
  /** 'Critical: …', the worst first. */
  titles: string[]
}

/** Angles and severities come from the answer itself, once its quotations have been looked for. */
export function analysisExtract({ defects, overall_score }: DefectAnalysis): AnalysisExtract {
  return { score: overall_score.total, titles: worstFirst(defects) }
}

export type AttackExtract = AttackSummary & { titles: string[] }

/** A Critical defect counts when it is written down, whatever number the judgment names. */
export function attackExtract({ attack_report, final_judgment }: Attack): AttackExtract {
  const items = ATTACK_QUESTIONS.flatMap((question) => attack_report[question].items)
  const { recommendation, confidence, reason } = final_judgment
  const criticals = items.filter(({ severity }) => severity === 'Critical').length
  return { recommendation, confidence, reason: line(reason), criticals, titles: worstFirst(items) }
}

export interface ReviewExtract {
  verdict: FinalReview['verdict']
  reason: string
  /** What the checklist warns of, or fails. */
  warnings: string[]
}

export function reviewExtract({ checklist, verdict, reason }: FinalReview): ReviewExtract {
  const open = checklist.filter(({ status }) => status !== 'pass')
  return { verdict, reason: line(reason), warnings: open.slice(0, 5).map(({ item }) => line(item, MAX_TITLE)) }
}

function worstFirst(items: readonly { title: string; severity: (typeof SEVERITIES)[number] }[]): string[] {
  return SEVERITIES.flatMap((severity) =>
    items.filter((each) => each.severity === severity).map(({ title }) => `${severity}: ${line(title, MAX_TITLE)}`),
  ).slice(0, 5)
}
