import type { AgentResult } from '../../contracts/phase-agent-result.js'
import type { AcceptanceResult, BlockInfo } from '../../contracts/phase-answers.js'
import type { QualityReport } from '../../contracts/quality.js'
import { GATES } from '../quality.js'

interface Who {
  taskId: string
  agentType: AgentResult['agentType']
}

/** Seed 001, 5.4 to 5.8: what each agent's part comes to, in the seed's own words. */
export function planned(who: Who, count: number): AgentResult {
  return success(who, {
    artifacts: [],
    contextUpdate: `## Planning Complete\n- Total tasks: ${count}`,
    suggestions: ['Review task dependencies before execution'],
  })
}

export function seenRed(who: Who, tests: { files: readonly string[]; failing: number }): AgentResult {
  const lines = tests.files.slice(0, MAX_FILES).map((file) => `- Test file: ${file}`)
  return success(who, {
    artifacts: tests.files.slice(0, MAX_FILES),
    contextUpdate: ['## TDD Complete', ...lines, `- Tests failing: ${tests.failing}`].join('\n'),
    suggestions: ['Implement functionality to pass these tests'],
  })
}

/** RED or GREEN was not seen: the next attempt is told why. */
export function unfinished(who: Who, sentence: string): AgentResult {
  return failed(who, sentence)
}

/** `count`: of all files, also of those that are not listed. */
export function seenGreen(who: Who, files: readonly string[], count: number = files.length): AgentResult {
  return success(who, {
    artifacts: files.slice(0, MAX_FILES),
    contextUpdate: `## Develop Complete\n- Implementation files: ${count}`,
    suggestions: ['Run quality gates in verify phase'],
  })
}

/** The bounded attempts are used up, and a researcher's report did not help. */
export const STILL_RED: BlockInfo = {
  reason: 'Tests still failing after implementation',
  type: 'information',
  missingInfo: ['Implementation approach guidance'],
}

export function blocked(who: Who, blockInfo: BlockInfo): AgentResult {
  return { ...who, status: 'blocked', blockInfo }
}

export function verified(who: Who, report: Pick<QualityReport, 'overallStatus' | 'reasons'>): AgentResult {
  if (report.overallStatus === 'pass')
    return success(who, {
      artifacts: [],
      contextUpdate: '## Verify Complete\n- All quality gates passed',
      suggestions: ['Proceed to accept phase for final review'],
    })
  const failedGates = GATES.filter((gate) => report.reasons.some((reason) => reason.startsWith(`${gate} failed`)))
  const isFail = report.overallStatus === 'fail'
  const message = isFail
    ? `Quality gates failed: ${failedGates.join(', ')}`
    : `Quality gates unverified: ${report.reasons.join('; ')}`
  return failed(who, message, isFail)
}

export function reviewed(
  who: Who,
  review: Pick<AcceptanceResult, 'overallScore' | 'recommendations'>,
  blockers: readonly string[],
): AgentResult {
  if (blockers.length > 0) return failed(who, `Review not approved: ${blockers.join('; ')}`)
  return success(who, {
    artifacts: [],
    contextUpdate: `## Accept Complete\n- Score: ${review.overallScore}/10\n- Approved: Yes`,
    suggestions: [...review.recommendations],
  })
}

/** They travel with the task. */
const MAX_FILES = 20

function success(who: Who, output: Extract<AgentResult, { status: 'success' }>['output']): AgentResult {
  return { ...who, status: 'success', output }
}

function failed(who: Who, message: string, retryable = true): AgentResult {
  return { ...who, status: 'failed', error: { message, retryable } }
}
