import type { ScoreOrder, ScoreReply } from '../contracts/eval-score.js'
import { attemptCall } from './attempt-call.js'
import type { Jury, ProgramJudge } from './eval-jury.js'

/** One candidate after the other, but for those it has measured; `why` is what went wrong first. */
export async function measure(
  jury: Jury,
  judge: ProgramJudge,
  { seat, candidates }: { seat: number; candidates: readonly number[] },
): Promise<{ status: 'done'; why: string } | { status: 'over' }> {
  const { limit_seconds, allow_unsandboxed } = jury.input
  const row = jury.progress.measured[seat] ?? []
  let why = ''
  for (const candidate of candidates) {
    const each = jury.input.candidates[candidate]
    if (each === undefined || (row[candidate] ?? null) !== null) continue
    const order: ScoreOrder = {
      run_id: jury.run.state.run_id,
      judge,
      candidate: each,
      limit_seconds,
      allow_unsandboxed,
    }
    const scored = await attemptCall<ScoreOrder, ScoreReply>(jury.run, {
      step: `${judge.name}: ${each.name}`,
      activity: 'scoreCandidate',
      input: order,
      extraMs: limit_seconds * 1000,
    })
    if (scored.status === 'canceled') return { status: 'over' }
    if (scored.status === 'failed') why ||= `${scored.failure.type}: ${scored.failure.message}`
    else takeScore(jury, { seat, candidate }, scored.value)
  }
  return { status: 'done', why }
}

function takeScore({ run, progress }: Jury, place: { seat: number; candidate: number }, reply: ScoreReply): void {
  const { score, measured, severities, angle, reasons, findings, record } = reply
  const row = progress.measured[place.seat] ?? []
  row[place.candidate] = { score, measured, severities, angle, reasons: reasons.slice(0, 1) }
  const lines = findings.map(({ severity, title }) => `${severity}: ${title}`)
  progress.defects[place.candidate] = [...(progress.defects[place.candidate] ?? []), ...lines].sort().slice(0, 5)
  if (run.state.artifacts.length < MAX_RECORDS) run.keep([record])
}

/** The state of a run is asked for while it runs: it must stay small. */
const MAX_RECORDS = 100
