import type { AccuracyCheck, RuleComplianceCheck, VerificationResult } from '../../contracts/review-answers.js'
import type { ReviewPart } from '../../contracts/review-part.js'
import type { Finding } from '../../contracts/review-report.js'
import { isGeneratedFile, isTestFile } from '../../rules/review/file-kinds.js'
import { findingKind } from '../../rules/review/finding-kinds.js'
import { touchedLines } from '../../rules/review/touched-lines.js'
import { qualityLevel } from '../../rules/review/words.js'
import { ANALYSERS } from '../linters/analysers.js'
import type { LinterBox } from '../linters/linter-box.js'
import type { RawFinding } from '../linters/raw-finding.js'
import { type AnalyserHit, analyseVersions, type ReadableFile } from './analyse-versions.js'

export interface VerifyOrder {
  part: ReviewPart
  findings: readonly Finding[]
  /** Issues that grounding found untrue. */
  refuted: number
  /** True when analysers were the reviewer: then they missed nothing that they would find now. */
  isByAnalysers: boolean
}

/**
 * The builtin verifier: runs the analysers again, over the version under review and the one before, and says of each finding what they say. What an
 * analyser found is there after the change and was not there before; what somebody else found is confirmed where an analyser says the same, and else
 * left open: a quotation that is there does not make a claim true.
 */
export async function verifyWithAnalysers(box: LinterBox, order: VerifyOrder): Promise<VerificationResult> {
  const { part, findings, isByAnalysers } = order
  const named = new Set(findings.map(({ relevantFile }) => relevantFile))
  const files = part.files.filter(
    (file): file is ReadableFile => file.text !== null && (!isByAnalysers || named.has(file.path)),
  )
  const sources = new Set(findings.map(({ source }) => source))
  // Those that said nothing would say nothing again.
  const analysers = ANALYSERS.filter(({ name }) => !isByAnalysers || sources.has(name))
  const { hits, reports } = await analyseVersions(box, files, analysers)
  const unread = (path: string) =>
    reports.flatMap(({ name, failures }) => (failures.some((failure) => failure.path === path) ? [name] : []))
  const looks = new Map<string, FileLook>(
    files.map((file) => [file.path, { file, hits: hits.get(file.path) ?? [], unread: unread(file.path) }]),
  )
  return {
    accuracy_check: findings.map((finding) => judge(finding, looks.get(finding.relevantFile))),
    rule_compliance_check: findings.map((finding) =>
      comply(finding, looks.get(finding.relevantFile)?.file.text ?? null),
    ),
    quality_assessment: assess(order, isByAnalysers ? [] : missed(findings, looks)),
  }
}

/** What the analysers say of one file. */
interface FileLook {
  file: ReadableFile
  hits: readonly AnalyserHit[]
  /** Analysers that could not read it this time. */
  unread: readonly string[]
}

const NAMES = new Set(ANALYSERS.map(({ name }) => name))

function judge(finding: Finding, look: FileLook | undefined): AccuracyCheck {
  const near = look?.hits.filter((hit) => isNear(finding, hit.finding)) ?? []
  if (!NAMES.has(finding.source)) return judgeClaim(finding, near)
  const same = near.filter(({ finding: { rule } }) => rule === finding.rule)
  return same.length === 0 ? judgeGone(finding, look) : judgeAgain(finding, look, same)
}

/** An analyser's finding that it did not tell again. */
function judgeGone({ id: issue_id, source, relevantFile, startLine, rule }: Finding, look?: FileLook): AccuracyCheck {
  if (look?.unread.includes(source) !== true)
    return refused(issue_id, `${source} did not find ${rule} at ${relevantFile}:${startLine} when it was run again`)
  const evidence = `${source} could not read ${relevantFile} when it was run again: neither confirmed nor refuted`
  return { issue_id, accuracy_status: 'PARTIALLY_CORRECT', evidence, deletion_required: false }
}

function judgeAgain(finding: Finding, look: FileLook | undefined, same: FileLook['hits']): AccuracyCheck {
  const { id: issue_id, source, relevantFile, startLine, rule } = finding
  if (same.every(({ wasThere }) => wasThere)) {
    return refused(issue_id, `${rule} is found in the version before the change, too: the change did not bring it`)
  }
  const isKnown = look?.file.before !== null || look.file.status === 'added' || look.file.status === 'given'
  const earlier = isKnown ? ' and not before the change' : '; the version before is not known'
  const evidence = `${source} found ${rule} at ${relevantFile}:${startLine} again${earlier}`
  return { issue_id, accuracy_status: 'CORRECT', evidence, deletion_required: false }
}

/** An agent's claim: the engine has seen that the quotation is there, which does not make the claim true. */
function judgeClaim({ id, relevantFile, startLine, endLine, label }: Finding, near: FileLook['hits']): AccuracyCheck {
  const [confirmed] = near.filter(({ finding: { rule }, wasThere }) => findingKind(rule).label === label && !wasThere)
  const quoted = `the quotation stands at ${relevantFile}:${startLine}-${endLine} in what is under review`
  const evidence =
    confirmed === undefined
      ? `${quoted}; no analyser here can confirm or refute the claim`
      : `${quoted}; ${confirmed.finding.rule} is found there, too`
  const accuracy_status = confirmed === undefined ? 'PARTIALLY_CORRECT' : 'CORRECT'
  return { issue_id: id, accuracy_status, evidence, deletion_required: false }
}

function refused(issue_id: string, evidence: string): AccuracyCheck {
  return { issue_id, accuracy_status: 'INCORRECT', evidence, deletion_required: true, deletion_reason: evidence }
}

function isNear({ startLine, endLine }: Finding, { line, endLine: last }: RawFinding): boolean {
  return line <= endLine && Math.max(line, last) >= startLine
}

function comply({ id, relevantFile }: Finding, text: string | null): RuleComplianceCheck {
  const violated_rules = [
    ...(isGeneratedFile(relevantFile, text)
      ? ['stands in a generated file: it is mended where that is made from']
      : []),
    ...(isTestFile(relevantFile) ? ['stands in a test: it does not reach users'] : []),
  ]
  const compliance_status = violated_rules.length === 0 ? 'COMPLIANT' : 'VIOLATED'
  return { issue_id: id, compliance_status, violated_rules, deletion_required: false }
}

type Missing = VerificationResult['quality_assessment']['missing_issues']

/** What analysers find in the change and nobody told, the first of many. */
function missed(findings: readonly Finding[], looks: ReadonlyMap<string, FileLook>): Missing {
  const all = [...looks.values()].flatMap(({ file, hits }) => {
    const touched = touchedLines(file)
    return hits
      .filter(({ wasThere, finding: { line } }) => !wasThere && touched.within(line, line) !== null)
      .map(({ finding }) => finding)
  })
  return all
    .filter((hit) => !findings.some((finding) => finding.relevantFile === hit.path && isNear(finding, hit)))
    .slice(0, mostMissing)
    .map(({ path, line, rule }) => ({
      description: findingKind(rule).why,
      evidence: `${rule} at ${path}:${line}`,
      suggested_severity: findingKind(rule).severity,
    }))
}

const mostMissing = 50

/** The share of issues that were true of the code; a review without issues is neither praised nor sent back. */
function assess({ findings, refuted }: VerifyOrder, missing_issues: Missing): VerificationResult['quality_assessment'] {
  const all = findings.length + refuted
  const overall_score = all === 0 ? silentScore : Math.round((100 * findings.length) / all)
  return {
    overall_score,
    quality_level: qualityLevel(overall_score),
    strengths: all === 0 ? [] : [`${findings.length} of ${all} issues are true of the code`],
    weaknesses: refuted === 0 ? [] : [`${refuted} of ${all} issues are not true of the code: quote only what is there`],
    missing_issues,
  }
}

const silentScore = 60
