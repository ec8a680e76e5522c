import type { BranchOrder, DetectedTechStack, DetectOrder, KeptBranch, RefineInput } from '../contracts/refine.js'
import type { ProjectedFile, ResultDocument } from '../contracts/run.js'
import { bestRound } from '../rules/refine/best-round.js'
import { concludeRefine } from '../rules/refine/conclude-refine.js'
import { decideRefine, type RefineAsked, type RefineEnd, type RefineWord } from '../rules/refine/decide-refine.js'
import { findAlarms } from '../rules/refine/find-alarms.js'
import { projectOpenSpec } from '../rules/refine/project-openspec.js'
import { noteWord } from '../rules/refine/refine-moves.js'
import { openProgress } from '../rules/refine/refine-progress.js'
import { refineQuestion, TECH_STACK_QUESTION } from '../rules/refine/refine-questions.js'
import { techStackFromWords } from '../rules/refine/tech-stack-words.js'
import { closeAsking, openAsking } from './ask-role.js'
import { ask, takeAnswers } from './ask.js'
import { attemptStep } from './attempt.js'
import { endRun, parseInput } from './end-run.js'
import { judgeCode, reviewCode } from './refine-reviews.js'
import { REFINE_ROWS, type RefineRun } from './refine-run.js'
import { writeCode } from './refine-writer.js'
import { now, openRun, whilePaused, withCleanUp } from './run.js'
import { untilAborted } from './until-aborted.js'

/**
 * Seed 000: writer, three reviewers in parallel, verdict, feedback, and again, on commits as state. What happens next is decided by
 * `decideRefine` from what is known; this function does it.
 */
export async function refineLoop(input: RefineInput): Promise<ResultDocument> {
  let files: () => ProjectedFile[] = () => []
  const run = openRun({ pipeline: 'refine', steps: REFINE_ROWS, files: () => files() })
  takeAnswers(run)
  await parseInput('refine', input)
  const loop: RefineRun = { run, input, asking: openAsking(run, input), progress: openProgress(input, now()) }
  files = () => projectOpenSpec(loop.progress, run.state)
  const decided = await withCleanUp(
    () => followDecisions(loop),
    async () => void (await endRefine(loop, null)),
  )
  return await endRefine(loop, decided)
}

/** Null when a person stopped the run. */
async function followDecisions(loop: RefineRun): Promise<RefineEnd | null> {
  const { run, progress } = loop
  const isSettled = await untilAborted(run, () => settleTechStack(loop))
  if (isSettled !== true && run.abortReason === null) return NO_STACK
  for (;;) {
    await whilePaused(run)
    if (run.abortReason !== null) return null
    const decision = decideRefine(progress.facts)
    if (decision.kind === 'end') return decision.end
    if (decision.kind === 'ask') await askPerson(loop, decision.asked)
    if (decision.kind === 'write') await untilAborted(run, () => writeCode(loop))
    if (decision.kind === 'review') await untilAborted(run, () => reviewCode(loop, decision.dimensions))
    if (decision.kind === 'judge') await untilAborted(run, () => judgeCode(loop))
  }
}

const NO_STACK: RefineEnd = { status: 'failed', verdict: 'error', keepsBest: false, because: 'tech_stack' }

/** Given, or detected, or said by a person: nothing is written before it is known. */
async function settleTechStack({ run, input, progress }: RefineRun): Promise<boolean> {
  if (progress.stack !== null) {
    run.mark('tech stack', 'skipped', `given: ${progress.stack.language}`)
    return true
  }
  const order: DetectOrder = { run_id: run.state.run_id, repository: input.repository, commit: input.base }
  const found = await attemptStep<DetectOrder, DetectedTechStack>(run, {
    step: 'tech stack',
    activity: 'detectTechStack',
    input: order,
    note: ({ tech_stack }) => (tech_stack === null ? 'nothing in the repository says it' : tech_stack.language),
  })
  if (found.status === 'canceled') return false
  progress.stack = found.status === 'passed' ? found.value.tech_stack : null
  if (progress.stack === null) {
    const words = await ask(run, TECH_STACK_QUESTION[input.lang], input.answer_within_seconds)
    progress.stack = techStackFromWords(words)
  }
  if (progress.stack === null) {
    const message =
      'tech_stack: expected a language, got none from the repository or a person; give it with --tech-stack'
    progress.failures = [{ type: 'Case.Incomplete', message, step: null }]
  }
  return progress.stack !== null
}

/** A person's word on what the rule asks; after an abort none is needed. */
async function askPerson({ run, input, progress }: RefineRun, asked: RefineAsked): Promise<void> {
  const { rounds } = progress
  progress.questions += 1
  const about = {
    asked,
    number: progress.questions,
    rounds,
    best: bestRound(rounds),
    alarms: findAlarms(rounds),
    failures: progress.failures.map(({ step, message }) => `${step ?? 'run'}: ${message}`),
  }
  const word = await ask(run, refineQuestion(about, input.lang), input.answer_within_seconds)
  if (run.abortReason === null) progress.facts = noteWord(progress.facts, asked, word as RefineWord)
}

async function endRefine(loop: RefineRun, decided: RefineEnd | null): Promise<ResultDocument> {
  const { run, progress, asking } = loop
  const branch = decided?.keepsBest === false ? null : await keepBest(loop)
  const leftovers = await closeAsking(asking)
  const { abortReason } = run
  const end = concludeRefine(progress, { decided, abortReason, exhausted: asking.purse.exhausted, branch, leftovers })
  return await endRun(run, end)
}

/** The best round's commit becomes the run's branch, whatever way the run ended. */
async function keepBest({ run, input, progress }: RefineRun): Promise<string | null> {
  const best = bestRound(progress.rounds)
  if (best === null) return null
  const order: BranchOrder = { run_id: run.state.run_id, repository: input.repository, commit: best.commit }
  const kept = await attemptStep<BranchOrder, KeptBranch>(run, {
    step: 'best round',
    activity: 'keepBranch',
    input: order,
    note: () => `round ${best.round}, commit ${best.commit.slice(0, 12)}`,
  })
  return kept.status === 'passed' ? kept.value.branch : null
}
