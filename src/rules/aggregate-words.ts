import type { Dimension, Lang, Severity } from '../contracts/aggregate.js'

/** Everything the aggregator says, in one language. The Chinese is seed 000's own wording. */
export interface AggregateWords {
  toFix: string
  levels: Record<Exclude<Severity, 'Low'>, string>
  problem: string
  fix: string
  techStack: string
  nothing: string
  more(count: number): string
  state: string
  round: string
  overallScore: string
  dimensions: Record<Dimension, string>
  nextStep: string
  pass: string
  passAction: string
  critical(count: number): string
  high(count: number, most: number): string
  below(dimension: Dimension | 'overall', score: number, least: number): string
  failed(why: string): string
  failedAction(rounds: number): string
  stalled(points: number): string
  fixAction(levels: readonly string[]): string
  /** "security score (84 → 85)" */
  goal(dimension: Dimension | 'overall', score: number, least: number): string
  raiseAction(goals: readonly string[]): string
  /** What a reviewer says of itself against what its own score and issues say. */
  inconsistent(dimension: Dimension, hasPassed: boolean, why: string): string
  consistentScore(score: number, least: number): string
}

const en: AggregateWords = {
  toFix: 'Issues to fix',
  levels: { Critical: 'Critical (must fix)', High: 'High (should fix)', Medium: 'Medium (could fix)' },
  problem: 'Problem',
  fix: 'Fix',
  techStack: 'Tech stack',
  nothing: 'None.',
  more: (count) => `… and ${count} more in the full result.`,
  state: 'Current state',
  round: 'Round',
  overallScore: 'Overall score',
  dimensions: { security: 'Security', quality: 'Quality', performance: 'Performance' },
  nextStep: 'Next step',
  pass: 'All checks passed',
  passAction: 'Done: all checks passed',
  critical: (count) => `${count} Critical ${count === 1 ? 'issue' : 'issues'} must be fixed`,
  high: (count, most) => `too many High issues (${count}, at most ${most})`,
  below: (name, score, least) => `the ${name} score ${score} is below the threshold ${least}`,
  failed: (why) => `Highest number of rounds reached without passing: ${why}`,
  failedAction: (rounds) => `Stop: all ${rounds} rounds are used up. Take the best round, or grant more rounds`,
  stalled: (points) => `Two rounds in a row gained less than ${points} points: a person should step in`,
  fixAction: (levels) => `Go on with the next round; fix the ${levels.join(' and ')} issues first`,
  goal: (name, score, least) => `the ${name} score (${score} → ${least})`,
  raiseAction: (goals) => `Go on with the next round; raise ${goals.join(', ')}`,
  inconsistent: (name, hasPassed, why) => `the ${name} review says ${hasPassed ? 'passed' : 'not passed'}, but ${why}`,
  consistentScore: (score, least) => `its score ${score} reaches ${least} and it found nothing Critical`,
}

const zhDimensions = { security: '安全', quality: '质量', performance: '性能' } as const satisfies Record<
  Dimension,
  string
>

const zh: AggregateWords = {
  toFix: '需要修复的问题',
  levels: { Critical: 'Critical (必须修复)', High: 'High (应该修复)', Medium: 'Medium (可以修复)' },
  problem: '问题',
  fix: '修复',
  techStack: '技术栈',
  nothing: '无',
  more: (count) => `… 另有 ${count} 个，见完整结果`,
  state: '当前状态',
  round: '迭代轮次',
  overallScore: '综合评分',
  dimensions: zhDimensions,
  nextStep: '下一步',
  pass: '所有检查通过',
  passAction: '所有检查通过，代码达标',
  critical: (count) => `存在 ${count} 个 Critical 问题必须修复`,
  high: (count, most) => `High 级别问题过多 (${count} 个，上限 ${most} 个)`,
  below: (name, score, least) => `${name === 'overall' ? '综合' : zhDimensions[name]}评分 ${score} 低于阈值 ${least}`,
  failed: (why) => `达到最大迭代次数，未能达标: ${why}`,
  failedAction: (rounds) => `停止迭代: ${rounds} 轮已用完，请采用最佳一轮的代码或增加轮次`,
  stalled: (points) => `连续两轮进步小于${points}分，建议人工介入`,
  fixAction: (levels) => `继续迭代，重点修复 ${levels.join(' 和 ')} 级别问题`,
  goal: (name, score, least) => `${name === 'overall' ? '综合' : zhDimensions[name]}评分 (${score} → ${least})`,
  raiseAction: (goals) => `继续迭代，重点提升${goals.join('、')}`,
  inconsistent: (name, hasPassed, why) => `${zhDimensions[name]}评审自称${hasPassed ? '通过' : '未通过'}，但${why}`,
  consistentScore: (score, least) => `评分 ${score} 达到阈值 ${least} 且没有 Critical 问题`,
}

export const AGGREGATE_WORDS: Record<Lang, AggregateWords> = { en, zh }
