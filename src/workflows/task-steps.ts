import type { AgentResult } from '../contracts/phase-agent-result.js'
import type { MeasureGatesOrder, QualityExtract } from '../contracts/phase-quality.js'
import type { ExecutorExtract, ResearchExtract, ToldExtract } from '../contracts/phase-roles.js'
import type { TaskPhase } from '../contracts/phase.js'
import { blocked, seenGreen, seenRed, unfinished, verified } from '../rules/phase/agent-results.js'
import { diagnosisQuestion } from '../rules/phase/block-of.js'
import { boundGuidance } from '../rules/phase/bound-guidance.js'
import type { Because } from '../rules/phase/decide-task.js'
import { disagreementEntries, gateEntries, greenEntries, redEntries, researchEntries } from '../rules/phase/entries.js'
import { trespassSentence } from '../rules/phase/judge-tests.js'
import { timeoutFor } from '../rules/phase/timeouts.js'
import { attemptStep } from './attempt.js'
import { briefFor } from './task-brief.js'
import { reviewTask } from './task-review.js'
import { type MeasuredTests, measureTests } from './task-tests.js'
import { askFor, atOf, notDone, remember, type Stretch, type TaskWork } from './task-work.js'

/** What is done in each phase of a task. */
export const PHASE_WORK: Record<TaskPhase, (work: TaskWork, because: Because) => Promise<Stretch>> = {
  plan: planMore,
  research: answerQuestion,
  tdd: writeTests,
  develop: implement,
  verify: runGates,
  accept: reviewTask,
}

async function planMore(work: TaskWork): Promise<Stretch> {
  const { order, task } = work
  const input = {
    instruction: task.description,
    project: order.project,
    guidance: boundGuidance(work.run.guidance),
    nested_in: { task: task.id, tasks: order.tasks },
  }
  const asked = await askFor<{ tasks: number }>(work, { role: 'planner', phase: 'plan', input })
  if (!('reply' in asked)) return asked
  work.at.nested = asked.reply.answer
  work.run.mark('plan', 'passed', `${asked.reply.extract.tasks} tasks`)
  return { outcome: 'planned' }
}

async function answerQuestion(work: TaskWork): Promise<Stretch> {
  const { task } = work
  const question = task.researchQuestion ?? task.description.slice(0, 4_000)
  const asked = await askResearcher(work, { phase: 'research', question })
  return 'reply' in asked ? { outcome: 'answered' } : asked
}

/** Whatever comes of it, there is one more try. */
export async function diagnose(work: TaskWork): Promise<Stretch> {
  const { at, said } = work
  work.run.plan(['diagnose'])
  const question = diagnosisQuestion({ ask: { phase: at.progress.phase }, complaint: at.complaint, said })
  const asked = await askResearcher(work, { phase: 'diagnose', question })
  return 'stop' in asked ? asked : { diagnosed: true }
}

async function askResearcher(
  work: TaskWork,
  { phase, question }: { phase: 'research' | 'diagnose'; question: string },
) {
  const { at } = work
  const input = { brief: briefFor(work, phase), question, findings: phase === 'diagnose' ? at.report : null }
  const complaint = at.complaint
  const asked = await askFor<ResearchExtract>(work, { role: 'researcher', phase, input })
  // That nobody could be asked is not what is wrong with the attempt.
  if (phase === 'diagnose') at.complaint = complaint
  if (!('reply' in asked)) return asked
  at.research = asked.reply.answer
  remember(work, researchEntries(atOf(work, phase), asked.reply.extract))
  work.run.mark(phase, 'passed', asked.reply.extract.summary)
  return asked
}

async function writeTests(work: TaskWork): Promise<Stretch> {
  const { at } = work
  const { complaint, report, research } = at
  const input = { brief: briefFor(work, 'tdd'), complaint, report, research }
  const asked = await askFor<ToldExtract>(work, { role: 'tester', phase: 'tdd', input })
  if (!('reply' in asked)) return asked
  at.commit = asked.reply.commit ?? at.commit
  const measured = await measureTests(work, 'tdd')
  return 'verdict' in measured ? takeVerdict(work, 'tdd', { measured, told: asked.reply.extract }) : measured
}

async function implement(work: TaskWork, why: Because): Promise<Stretch> {
  const { at } = work
  const { complaint, report, research, conflicts, tests } = at
  const brief = briefFor(work, 'develop')
  const input = { brief, complaint, report, research, tests, why, conflicts: why === 'conflict' ? conflicts : [] }
  const asked = await askFor<ToldExtract>(work, { role: 'coder', phase: 'develop', input })
  if (!('reply' in asked)) return asked
  const { reply } = asked
  if (reply.trespasses.length > 0) return refuseTrespass(work, reply.trespasses)
  at.commit = reply.commit ?? at.commit
  const measured = await measureTests(work, 'develop')
  return 'verdict' in measured ? takeVerdict(work, 'develop', { measured, told: reply.extract }) : measured
}

/** What was changed there is not taken: the next attempt starts from before it. */
function refuseTrespass({ at, run, task }: TaskWork, paths: readonly string[]): Stretch {
  Object.assign(at, { complaint: trespassSentence(paths), report: null })
  run.mark('develop', 'failed', at.complaint)
  at.results['develop'] = unfinished({ taskId: task.id, agentType: 'coder' }, trespassSentence(paths))
  return { outcome: 'trespassed' }
}

/** What a person committed is judged like an agent's work, and nobody is asked. */
export async function measureTaken(work: TaskWork, phase: 'tdd' | 'develop'): Promise<Stretch> {
  work.run.plan([phase])
  work.at.rounds[phase] = (work.at.rounds[phase] ?? 0) + 1
  const measured = await measureTests(work, phase)
  return 'verdict' in measured ? takeVerdict(work, phase, { measured, told: null }) : measured
}

interface Measured {
  measured: Extract<MeasuredTests, { verdict: unknown }>
  told: ToldExtract | null
}

/** Tests that were measured good overrule an agent that says it is blocked; otherwise its word says what is missing. */
function takeVerdict(work: TaskWork, phase: 'tdd' | 'develop', measured: Measured): Stretch {
  const { verdict, outcome } = measured.measured
  Object.assign(work.at, { complaint: verdict.sentence, report: verdict.report })
  if (phase === 'tdd') takeTests(work, measured)
  else if (outcome === 'green') takeCode(work, measured)
  const isGood = outcome === 'red' || outcome === 'green'
  work.said = isGood ? null : (measured.told?.blocked ?? null)
  work.at.results[phase] = resultOf(work, phase, measured)
  return { outcome: work.said === null ? outcome : 'blocked' }
}

function resultOf(
  { task, said }: TaskWork,
  phase: 'tdd' | 'develop',
  { measured: { verdict, outcome } }: Measured,
): AgentResult {
  const who = { taskId: task.id, agentType: phase === 'tdd' ? ('tester' as const) : ('coder' as const) }
  if (said !== null) return blocked(who, said)
  if (outcome === 'red') return seenRed(who, { files: verdict.test_files, failing: verdict.failing })
  if (outcome !== 'green') return unfinished(who, verdict.sentence)
  const files = verdict.changes.map(({ path }) => path)
  return seenGreen(who, files, verdict.changed_files)
}

/** From now on these files are the tester's; a person's are so too, red or not. */
function takeTests(work: TaskWork, { measured: { verdict, outcome }, told }: Measured): void {
  const { at } = work
  const { changes, failing, test_files: files } = verdict
  if (outcome === 'red' || told === null) at.tests = [...new Set([...at.tests, ...files])].slice(0, 500)
  if (outcome !== 'red') return
  at.red = at.commit
  at.red_tests = verdict.red
  remember(work, redEntries(atOf(work, 'tdd'), { told, changes, files, failing }))
}

function takeCode(work: TaskWork, { measured: { verdict }, told }: Measured): void {
  const { changes, changed_files: changedFiles } = verdict
  remember(work, greenEntries(atOf(work, 'develop'), { told, changes, changedFiles }))
}

async function runGates(work: TaskWork): Promise<Stretch> {
  const { order, task, at } = work
  at.rounds['verify'] = (at.rounds['verify'] ?? 0) + 1
  const { repository, config, quality, allow_unsandboxed, run_id } = order
  const limit_seconds = timeoutFor('verify', task.estimatedComplexity) / 1000
  const criteria = task.acceptanceCriteria ?? []
  const input = { run_id, repository, commit: at.commit, config, quality, criteria, limit_seconds, allow_unsandboxed }
  const measured = await attemptStep<MeasureGatesOrder, QualityExtract>(work.run, {
    step: 'verify',
    activity: 'measureGates',
    input,
    note: ({ overallStatus, reasons }) => [overallStatus, ...reasons].join('; '),
  })
  if (measured.status === 'canceled') return { stop: 'canceled', reason: null }
  if (measured.status === 'failed') return notDone(work, measured.failure.message)
  return (await hearExecutor(work, measured.value)) ?? takeQuality(work, measured.value)
}

/** An executor that a person named says what it saw; where it disagrees, the reviewer hears of it. What was measured decides. */
async function hearExecutor(work: TaskWork, { gates }: QualityExtract): Promise<Stretch | null> {
  const { order, run } = work
  if (!order.agents.some(({ role }) => role === 'executor')) return null
  run.plan(['executor'])
  const input = { brief: briefFor(work, 'verify'), quality: order.quality, gates }
  const asked = await askFor<ExecutorExtract>(work, { role: 'executor', phase: 'executor', input })
  if (!('reply' in asked)) return 'stop' in asked ? asked : null
  const { disagreements } = asked.reply.extract
  run.mark('executor', 'passed', disagreements.join('; ') || 'says what was measured')
  remember(work, disagreementEntries(atOf(work, 'executor'), disagreements))
  return null
}

function takeQuality(work: TaskWork, quality: QualityExtract): Stretch {
  const { at } = work
  at.quality = quality
  at.unsandboxed ||= !quality.isSandboxed
  at.results['verify'] = verified({ taskId: work.task.id, agentType: 'executor' }, quality)
  if (quality.overallStatus === 'pass') {
    const facts = quality.gates.map(({ name, status, details }) => `${name} ${status}: ${details}`).join(', ')
    remember(work, gateEntries(atOf(work, 'verify'), facts))
    return { outcome: 'pass' }
  }
  Object.assign(at, { complaint: quality.reasons.join('; ').slice(0, 2_000), report: quality.report })
  return { outcome: quality.overallStatus }
}
