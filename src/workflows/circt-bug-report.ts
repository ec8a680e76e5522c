import { condition } from '@temporalio/workflow'
import type { CirctInput } from '../contracts/circt.js'
import type { ResultDocument } from '../contracts/run.js'
import { type CaseProgress, concludeCase, openCase, projectCase } from '../rules/circt/case-progress.js'
import { duplicateQuestion } from '../rules/circt/duplicate-question.js'
import { CIRCT_STEPS, type CirctDecision, decideCirct } from '../rules/circt/schedule.js'
import { ask, takeAnswers } from './ask.js'
import { abortSteps, type CaseRun, launchStep, refreshPhase } from './circt-steps.js'
import { endRun, parseInput } from './end-run.js'
import { now, openRun, type Run, whilePaused, withCleanUp } from './run.js'

/**
 * Seed 002: from a crash of the CIRCT compiler to a minimized, validated, de-duplicated bug report.
 * What happens next is decided by `decideCirct` from what is known; this function only starts, cancels, asks and waits.
 */
export async function circtBugReport(input: CirctInput): Promise<ResultDocument> {
  let progress: CaseProgress | null = null
  const files = (state: Run['state']) => (progress === null ? [] : projectCase(progress, state))
  const run = openRun({ pipeline: 'circt', steps: CIRCT_STEPS, files })
  takeAnswers(run)
  await parseInput('circt', input)
  progress = openCase(input, now())
  const caseRun: CaseRun = { run, input, progress, scopes: new Map(), moves: 0 }
  refreshPhase(caseRun)
  const end = await withCleanUp(
    () => followDecisions(caseRun),
    () => endCanceled(caseRun),
  )
  return await endCase(caseRun, end)
}

async function followDecisions(caseRun: CaseRun): Promise<CirctDecision['end']> {
  const { run, input, progress } = caseRun
  for (;;) {
    await whilePaused(run)
    if (run.abortReason !== null) return await abortSteps(caseRun)
    const seen = caseRun.moves
    const decision = decideCirct(input.schedule, progress.facts)
    if (decision.end !== null) return decision.end
    for (const step of decision.cancel) caseRun.scopes.get(step)?.cancel()
    for (const step of decision.start) launchStep(caseRun, step)
    if (decision.asks) await confirmDuplicate(caseRun)
    else await condition(() => caseRun.moves !== seen || run.abortReason !== null)
    refreshPhase(caseRun)
  }
}

/** Seed 002 ends at review_existing with 10.0 or more, after a person's word. */
async function confirmDuplicate({ run, input, progress }: CaseRun): Promise<void> {
  const found = progress.outcomes.check_duplicates
  if (found === undefined) throw new Error('a duplicate is asked about before the search has ended')
  const answer = await ask(run, duplicateQuestion(found), input.answer_within_seconds)
  if (run.abortReason === null) progress.facts.confirmation = answer === 'duplicate' ? 'duplicate' : 'report'
}

async function endCase({ run, progress }: CaseRun, decided: CirctDecision['end']): Promise<ResultDocument> {
  const end = concludeCase(progress, { decided, abortReason: run.abortReason, endedAt: now() })
  run.state.artifacts = end.artifacts
  return await endRun(run, end)
}

/** A cancelled workflow leaves its documents too; Temporal then closes it as cancelled. */
async function endCanceled(caseRun: CaseRun): Promise<void> {
  await abortSteps(caseRun)
  await endCase(caseRun, null)
}
