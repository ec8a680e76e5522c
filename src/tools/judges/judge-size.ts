import { join } from 'node:path'
import type { ScoreAnswer } from '../../contracts/eval-score.js'
import { codeSize, isCode } from '../../rules/eval/code-size.js'
import { readBounded } from '../folder/read-bounded.js'
import type { Bench } from './judge-box.js'

/** How much there is to read: lines of code and branches, the nested ones counted more; less is better. Reads, runs nothing. */
export async function judgeBySize({ box, own }: Bench): Promise<ScoreAnswer> {
  const code = own.filter((path) => isCode(path))
  const total = { lines: 0, branches: 0, weighted: 0, depth: 0 }
  for (const path of code.length > 0 ? code : own) {
    const text = (await readBounded(join(box.copy, path), MAX_BYTES)).toString('utf8')
    const size = codeSize(path, text)
    total.lines += size.lines
    if (code.length === 0) continue
    total.branches += size.branches
    total.weighted += size.weighted
    total.depth = Math.max(total.depth, size.depth)
  }
  const { lines, branches, weighted, depth } = total
  return {
    score: null,
    measured: { value: lines + weighted, unit: 'lines and weighted branches', better: 'lower' },
    reasons: [`${lines} lines, ${branches} branches (${weighted} by their depth), blocks ${depth} deep`],
    findings: [],
    angle: 'maintainability',
  }
}

const MAX_BYTES = 8 * 1024 ** 2
