import { Failure } from '../../contracts/failures.js'
import type { MeasureGatesOrder, QualityExtract } from '../../contracts/phase-quality.js'
import type { QualityReport } from '../../contracts/quality.js'
import { leftToReviewer } from '../../rules/phase/criteria.js'
import { GATES } from '../../rules/quality.js'
import { runGatesAtCommit } from '../gates/run-gates-at-commit.js'
import { openMirror } from '../git/mirror.js'
import { checkSandbox, type PhaseBox } from './phase-box.js'

/**
 * Runs the seven gates at a commit, by the configuration of the run's base (seed 001, 5.7). Throws `Failure('Tool.TimedOut')` when all of them
 * together take longer than they may.
 */
export async function measureTaskGates(order: MeasureGatesOrder, box: PhaseBox): Promise<QualityExtract> {
  checkSandbox(box, order)
  const report = await withinLimit(order, box)
  const text = `${JSON.stringify(report, null, 2)}\n`
  return {
    overallStatus: report.overallStatus,
    score: report.score,
    isSandboxed: report.isSandboxed,
    reasons: report.reasons.slice(0, 10).map((reason) => reason.slice(0, 300)),
    gates: GATES.map((name) => ({ name, status: report[name].status, details: report[name].details.slice(0, 200) })),
    unmeasured: leftToReviewer(report.acceptance.criteria).slice(0, 30),
    report: await box.store.put(`gates/${order.commit.slice(0, 12)}.json`, text, 'application/json'),
  }
}

async function withinLimit(order: MeasureGatesOrder, box: PhaseBox): Promise<QualityReport> {
  const { limit_seconds: seconds, commit, config: base, quality, criteria } = order
  const limit = new AbortController()
  const clock = seconds === null ? null : setTimeout(() => limit.abort(), seconds * 1000)
  const signal = AbortSignal.any([box.signal, limit.signal])
  try {
    const mirror = await openMirror(box.git, order.repository)
    return await runGatesAtCommit({ ...box, mirror, commit, base, quality, criteria, signal })
  } catch (error) {
    if (!limit.signal.aborted || box.signal.aborted) throw error
    throw new Failure('Tool.TimedOut', `the gates together took longer than ${seconds} s`, { cause: error })
  } finally {
    if (clock !== null) clearTimeout(clock)
  }
}
