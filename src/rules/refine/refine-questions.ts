import type { Lang } from '../../contracts/aggregate.js'
import type { RefineAlarms, RefineRound } from '../../contracts/refine.js'
import type { Question } from '../../contracts/run.js'
import { fractionOf, roundHalfUp } from '../aggregate-fractions.js'
import { REFINE_WORDS, type RefineAsked, type RefineWord } from './decide-refine.js'

export interface RefineAskedAbout {
  asked: RefineAsked
  /** Counts questions of the run, so that each has its own id. */
  number: number
  rounds: readonly RefineRound[]
  best: RefineRound | null
  alarms: RefineAlarms
  /** What failed, one line each, for `writer` and `reviewers`. */
  failures: readonly string[]
}

/** The question as a person reads it; the last of the words is the default. */
export function refineQuestion(
  about: RefineAskedAbout,
  lang: Lang,
): Omit<Question, 'deadline' | 'answer' | 'answered_by'> {
  const words: readonly RefineWord[] = REFINE_WORDS[about.asked]
  const said = SAID[lang]
  return {
    id: `${about.asked.replaceAll('_', '-')}-${about.number}`,
    kind: 'choice',
    title: said.titles[about.asked],
    detail: [...about.failures, ...trend(about, said), ...alarmLines(about.alarms, lang)].join('\n'),
    options: words.map((word) => ({ key: word, label: said.labels[word] })),
    default: words.at(-1) ?? 'stop',
  }
}

interface Said {
  titles: Record<RefineAsked, string>
  labels: Record<RefineWord, string>
  round(number: number, overall: number): string
  best(number: number): string
  persisting(place: string): string
  oscillating: string
  regressed(dimension: string, from: number, to: number): string
}

const SAID: Record<Lang, Said> = {
  en: {
    titles: {
      writer: 'The writer has not delivered: try again?',
      reviewers: 'A review could not be had: try again?',
      stalled: 'Two rounds in a row gained too little: how to go on?',
      max_iterations: 'All rounds are used up without passing: grant more?',
    },
    labels: {
      retry: 'try again',
      continue: 'one more round; `gauntlet guide` tells the writer what matters',
      grant_1: 'one more round',
      grant_3: 'three more rounds',
      take_best: "end here with the best round's code",
      stop: 'end here, take none of it',
    },
    round: (number, overall) => `round ${number}: ${overall}`,
    best: (number) => `best so far: round ${number}`,
    persisting: (place) => `Critical for three rounds: ${place}`,
    oscillating: 'the scores of the last three rounds lie within 6 points',
    regressed: (dimension, from, to) => `${dimension} went back from ${from} to ${to}`,
  },
  zh: {
    titles: {
      writer: '编写者没有交付结果: 是否重试?',
      reviewers: '有评审未能取得: 是否重试?',
      stalled: '连续两轮进步过小: 如何继续?',
      max_iterations: '所有轮次已用完仍未达标: 是否增加轮次?',
    },
    labels: {
      retry: '重试',
      continue: '再来一轮；可用 `gauntlet guide` 给编写者指示',
      grant_1: '增加一轮',
      grant_3: '增加三轮',
      take_best: '到此结束，采用最佳一轮的代码',
      stop: '到此结束，不采用任何代码',
    },
    round: (number, overall) => `第 ${number} 轮: ${overall}`,
    best: (number) => `目前最佳: 第 ${number} 轮`,
    persisting: (place) => `连续三轮存在的 Critical 问题: ${place}`,
    oscillating: '最近三轮的评分波动在 6 分以内',
    regressed: (dimension, from, to) => `${dimension} 评分从 ${from} 退步到 ${to}`,
  },
}

function trend({ rounds, best }: RefineAskedAbout, said: Said): string[] {
  if (rounds.length === 0) return []
  const scores = rounds.slice(-5).map(({ round, overall }) => said.round(round, shown(overall)))
  return [scores.join(', '), ...(best === null ? [] : [said.best(best.round)])]
}

/** What the alarms say, one line each: for people, and for the writer of the next round. */
export function alarmLines({ persisting, oscillating, regressions }: RefineAlarms, lang: Lang): string[] {
  const said = SAID[lang]
  return [
    ...persisting.map((place) => said.persisting(place)),
    ...(oscillating ? [said.oscillating] : []),
    ...regressions.map(({ dimension, from, to }) => said.regressed(dimension, shown(from), shown(to))),
  ]
}

function shown(score: number): number {
  return roundHalfUp(fractionOf(score))
}

/** Asked where the repository says nothing; without an answer nothing is written. */
export const TECH_STACK_QUESTION: Record<Lang, Omit<Question, 'deadline' | 'answer' | 'answered_by'>> = {
  en: {
    id: 'tech-stack',
    kind: 'information',
    title: 'What is the code to be written in?',
    detail:
      'Nothing in the repository says it. Language, framework, then constraints, with commas: Python 3.12, FastAPI, async/await',
    options: [],
    default: '',
  },
  zh: {
    id: 'tech-stack',
    kind: 'information',
    title: '代码使用什么技术栈?',
    detail: '仓库中没有线索。依次写语言、框架、约束，用逗号分隔: Python 3.12, FastAPI, async/await',
    options: [],
    default: '',
  },
}
