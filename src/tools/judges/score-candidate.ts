import { type ScoreAnswer, type ScoreOrder, type ScoreReply } from '../../contracts/eval-score.js'
import type { Measure } from '../../contracts/eval.js'
import { plainLine } from '../../rules/cli-progress.js'
import { SEVERITIES } from '../../rules/eval/words.js'
import { judgeByBenchmark } from './judge-benchmark.js'
import { type Bench, type JudgeBox, layOut } from './judge-box.js'
import { judgeByLint } from './judge-lint.js'
import { judgeByScript } from './judge-script.js'
import { judgeBySize } from './judge-size.js'
import { judgeByTests } from './judge-tests.js'

/** One program's judgement of one candidate, on a fresh copy that only it sees. Throws `Failure` when it could not judge at all. */
export async function scoreCandidate(order: ScoreOrder, box: JudgeBox): Promise<ScoreReply> {
  const bench = await layOut(box, order)
  const answer = await MEASURES[order.judge.measure](bench, order.judge.script ?? '')
  box.signal.throwIfAborted()
  const { judge, candidate } = order
  const document = JSON.stringify({ judge: judge.name, candidate: candidate.name, ...answer }, null, 2)
  const record = await box.store.put(
    `judgements/${judge.name}-${candidate.content.sha256.slice(0, 12)}.json`,
    document,
    'application/json',
  )
  return replyOf(answer, { record, is_sandboxed: box.isSandboxed })
}

const MEASURES = {
  tests: judgeByTests,
  lint: judgeByLint,
  size: judgeBySize,
  benchmark: judgeByBenchmark,
  score: judgeByScript,
} as const satisfies Record<Measure, (bench: Bench, script: string) => Promise<ScoreAnswer>>

function replyOf(answer: ScoreAnswer, rest: Pick<ScoreReply, 'record' | 'is_sandboxed'>): ScoreReply {
  const worst = SEVERITIES.flatMap((severity) => answer.findings.filter((each) => each.severity === severity))
  const count = (severity: string) => worst.filter((each) => each.severity === severity).length
  return {
    score: answer.score,
    measured: answer.measured,
    reasons: answer.reasons.slice(0, 3).map(wordsOf),
    findings: worst.slice(0, 5).map(({ title, severity }) => ({ title: wordsOf(title), severity })),
    severities: { Critical: count('Critical'), Major: count('Major'), Minor: count('Minor') },
    angle: answer.angle,
    ...rest,
  }
}

/** A line of nothing but what steers a terminal is no line. */
function wordsOf(line: string): string {
  return plainLine(line) || '(no words)'
}
