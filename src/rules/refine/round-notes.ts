import type { Lang } from '../../contracts/aggregate.js'
import type { ReviewExtract, WriterExtract } from '../../contracts/refine-answers.js'
import type { MeasuredChange, RefineRound, RoundJudgement } from '../../contracts/refine.js'
import { fractionOf, roundHalfUp } from '../aggregate-fractions.js'
import { bestRound } from './best-round.js'
import { findAlarms } from './find-alarms.js'
import { alarmLines } from './refine-questions.js'

/** What the writer left, as one line: measured, and where that differs, what it said. */
export function writerNote(
  round: number,
  { reply, change }: { reply: { changed_files: number; extract: WriterExtract }; change: MeasuredChange },
): string {
  const { changed_files, extract } = reply
  const said = extract.claimed_files === changed_files ? '' : ` (it says ${extract.claimed_files})`
  const confidence = `confidence ${Math.round(extract.confidence * 100)} %`
  return `round ${round}: ${filesOf(changed_files)} changed${said}, ${filesOf(change.files)} to review, ${confidence}`
}

function filesOf(count: number): string {
  return `${count} ${count === 1 ? 'file' : 'files'}`
}

export function reviewNote(round: number, { score, issues, limits }: ReviewExtract): string {
  const limit = limits.length === 0 ? '' : `; ${limits.join('; ')}`
  return `round ${round}: ${shown(score)} points, ${issues} ${issues === 1 ? 'issue' : 'issues'}${limit}`
}

export function judgementNote(round: number, judgement: RoundJudgement): string {
  const { overall, recommendation, reason, refuted } = judgement
  const left = refuted === 0 ? '' : `; ${refuted} untrue ${refuted === 1 ? 'issue' : 'issues'} left out`
  return `round ${round}: ${recommendation}, overall ${shown(overall)}: ${reason}${left}`
}

export interface WriterNotes {
  rounds: readonly RefineRound[]
  /** Files the attempt before this one changed although it may not. */
  trespasses: readonly string[]
  lang: Lang
}

/** What the engine noticed and the writer should know, beside the feedback: at most twelve lines of at most 500 characters. */
export function writerNotes({ rounds, trespasses, lang }: WriterNotes): string[] {
  const words = WORDS[lang]
  const alarms = findAlarms(rounds)
  const best = bestRound(rounds)
  const isBehind = best !== null && best.round !== rounds.length
  const lines = [
    ...(trespasses.length === 0 ? [] : [words.trespassed(trespasses.slice(0, 5).join(', '))]),
    ...(alarms.regressions.length > 0 && isBehind ? [words.behind(best.round, best.commit)] : []),
    ...alarmLines(alarms, lang),
    ...(rounds.at(-1)?.is_unchanged === true ? [words.unchanged] : []),
  ]
  return lines.slice(0, 12).map((line) => line.slice(0, 500))
}

const WORDS: Record<
  Lang,
  { trespassed(files: string): string; behind(round: number, commit: string): string; unchanged: string }
> = {
  en: {
    trespassed: (files) => `your last attempt changed files that are not yours, and does not count: ${files}`,
    behind: (round, commit) =>
      `round ${round} (commit ${commit.slice(0, 12)}) was better than the last one: undo what made it worse`,
    unchanged: 'the last round left the code as it was',
  },
  zh: {
    trespassed: (files) => `上一次尝试修改了不允许修改的文件，不予计入: ${files}`,
    behind: (round, commit) => `第 ${round} 轮 (提交 ${commit.slice(0, 12)}) 优于上一轮: 请撤销使其变差的修改`,
    unchanged: '上一轮没有修改代码',
  },
}

function shown(score: number): number {
  return roundHalfUp(fractionOf(score))
}
