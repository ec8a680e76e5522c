import type { EvalInput } from '../contracts/eval.js'
import type { ProjectedFile, ResultDocument } from '../contracts/run.js'
import { type EvalProgress, openProgress } from '../rules/eval/progress.js'
import { evalResult } from '../rules/eval/result.js'
import { decideEval, type EvalStep } from '../rules/eval/schedule.js'
import { evalTable } from '../rules/eval/table.js'
import type { EVAL_VERDICTS } from '../rules/eval/words.js'
import { type Asking, closeAsking, openAsking } from './ask-role.js'
import { takeAnswers } from './ask.js'
import { continueRun, type Continued, isLong, mayContinue, takeUpRun } from './continue-run.js'
import { type End, endRun, parseInput } from './end-run.js'
import type { Jury } from './eval-jury.js'
import { EVAL_STEPS, phaseOf, readAll } from './eval-steps.js'
import { isOpen, openRun, type Run, whilePaused, withCleanUp } from './run.js'

type Verdict = (typeof EVAL_VERDICTS)[number]

/**
 * Seed 003 and its neighbours: a jury of models, agents and programs over up to four rounds. What happens next is decided by `decideEval`
 * from facts alone; this function does it.
 */
export async function multiRoundEval(input: EvalInput, continued?: Continued): Promise<ResultDocument> {
  let files: () => ProjectedFile[] = () => []
  const isPaused = continued?.isPaused ?? false
  const run = openRun({ pipeline: 'eval', steps: [], files: () => files(), isPaused })
  const hasParts = mayContinue()
  takeAnswers(run)
  const opened = continued === undefined ? await openJury(run, input) : await takeUpJury(run, input, continued)
  const jury = { ...opened, hasParts }
  showReport(jury)
  files = () => filesOf(jury)
  const verdict = await withCleanUp(
    () => followDecisions(jury),
    async () => void (await endEval(jury, null)),
  )
  return await endEval(jury, verdict)
}

type Opened = Omit<Jury, 'hasParts'>

async function openJury(run: Run, input: EvalInput): Promise<Opened> {
  await parseInput('eval', input)
  return { run, input, progress: openProgress(input), asking: askingOf(run, input) }
}

async function takeUpJury(run: Run, input: EvalInput, continued: Continued): Promise<Opened> {
  const asking = askingOf(run, input)
  const { progress, purse } = await takeUpRun<EvalProgress>(run, continued)
  asking.purse.takeUp(purse)
  return { run, input, progress, asking }
}

function askingOf(run: Run, input: EvalInput): Asking {
  const judges = [...input.judges, ...input.spares]
  const agents = judges.flatMap((judge) => (judge.kind === 'agent' ? [{ role: '*' as const, agent: judge.agent }] : []))
  return openAsking(rarelyShown(run), { ...input, agents })
}

/** A thousand answers need not be shown one by one: open questions at once, the rest now and then. */
function rarelyShown(run: Run): Run {
  let calls = 0
  let wasOpen = false
  const show = () => {
    calls += 1
    const hasOpen = run.state.questions.some(isOpen)
    if (calls % 20 === 0 || hasOpen || wasOpen) run.show()
    wasOpen = hasOpen
  }
  return Object.assign(Object.create(run) as Run, { show })
}

/** Null when it was not to be followed to its end: an abort, or the budget. */
async function followDecisions(jury: Jury): Promise<Verdict | null> {
  const { run, progress, asking } = jury
  if (progress.log.length === 0) await readAll(jury)
  for (let moves = 0; ; moves += 1) {
    await whilePaused(run)
    if (run.abortReason !== null || asking.purse.exhausted !== null) return null
    if (jury.hasParts && moves > 0 && isLong()) {
      await continueRun(run, jury.input, { purse: asking.purse, progress })
      continue
    }
    const move = decideEval({ rounds: progress.rounds, ...progress.facts })
    if ('end' in move) return move.end
    await take(jury, move.do)
  }
}

async function take(jury: Jury, step: EvalStep): Promise<void> {
  const { run, progress } = jury
  run.state.phase = phaseOf(step)
  run.show()
  const found = await EVAL_STEPS[step](jury)
  progress.log.push(`${step}: ${found}`)
}

/** Made when somebody looks, and once per move: it takes longer than the moves themselves. */
function showReport(jury: Jury): void {
  const { run, progress } = jury
  const made = { moves: -1, lines: [] as string[] }
  const report = () => {
    const moves = progress.log.length
    if (progress.votes.length > 0 && made.moves !== moves)
      Object.assign(made, { moves, lines: reportOf(jury, verdictOf(run)) })
    return made.lines
  }
  Object.defineProperty(run.state, 'report', { get: report, enumerable: true })
}

const MAX_LINES = 500
const MAX_LINE = 2000

/** The rounds so far; the verdict only matters when it is there. */
function reportOf({ input, progress }: Pick<Jury, 'input' | 'progress'>, verdict: Verdict): string[] {
  const [summary = '', ...lines] = evalTable(evalResult(input, progress, verdict)).split('\n')
  const shown = progress.facts.consensus === null ? lines.slice(1) : [summary, ...lines]
  return shown.slice(0, MAX_LINES).map((line) => line.slice(0, MAX_LINE))
}

function filesOf({ run, input, progress }: Jury): ProjectedFile[] {
  if (run.result === null || progress.votes.length === 0) return []
  return [{ path: 'eval.txt', text: `${reportOf({ input, progress }, verdictOf(run)).join('\n')}\n` }]
}

function verdictOf(run: Run): Verdict {
  return (run.state.verdict ?? 'stopped') as Verdict
}

async function endEval(jury: Jury, verdict: Verdict | null): Promise<ResultDocument> {
  const { run, input, progress, asking } = jury
  const leftovers = await closeAsking(asking)
  progress.log.push(...leftovers, `end: ${verdict ?? 'stopped'}`)
  run.state.verdict = verdict ?? 'stopped'
  const result = evalResult(input, progress, verdict ?? 'stopped')
  const end: Omit<End, 'result'> =
    verdict === null ? unfinished(jury) : { status: 'completed', verdict, reason: result.final_recommendation.summary }
  return await endRun(run, { ...end, result })
}

function unfinished({ run, asking }: Jury): Omit<End, 'result'> {
  if (run.abortReason !== null) return { status: 'aborted', verdict: 'stopped', reason: run.abortReason }
  const { exhausted } = asking.purse
  if (exhausted !== null) return { status: 'budget_exhausted', verdict: 'stopped', reason: exhausted }
  return { status: 'canceled', verdict: 'stopped', reason: 'the run was cancelled' }
}
