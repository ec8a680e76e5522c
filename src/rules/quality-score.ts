import type { GateName, QualityLevel } from '../contracts/quality.js'
import { type GateResults, GATES } from './quality.js'

/** How much each gate weighs at each level. They need not add up to one: the score is over the weights of gates that ran. */
const WEIGHTS = {
  fast: { build: 0.4, test: 0.4, coverage: 0, lint: 0.1, security: 0, e2e: 0, acceptance: 0.1 },
  balanced: { build: 0.2, test: 0.3, coverage: 0.15, lint: 0.1, security: 0.15, e2e: 0.05, acceptance: 0.15 },
  strict: { build: 0.15, test: 0.3, coverage: 0.2, lint: 0.1, security: 0.15, e2e: 0.1, acceptance: 0.2 },
} as const satisfies Record<QualityLevel, Record<GateName, number>>

/** 0 to 100, exact; null when no gate with a weight ran. Gates that were skipped or unavailable do not count at all. */
export function qualityScore(gates: GateResults, level: QualityLevel): number | null {
  const ran = GATES.filter((name) => gates[name].status === 'pass' || gates[name].status === 'fail')
  const weight = ran.reduce((sum, name) => sum + WEIGHTS[level][name], 0)
  if (weight === 0) return null
  return ran.reduce((sum, name) => sum + WEIGHTS[level][name] * gateScore(name, gates), 0) / weight
}

/** A pass is 100. A failure still counts what it reached: the share of tests that passed, of the coverage asked for. */
function gateScore(name: GateName, gates: GateResults): number {
  if (gates[name].status === 'pass') return 100
  if (name === 'test' || name === 'e2e') {
    const { passed, failed, outcome } = gates[name]
    return outcome === 'failed' && passed + failed > 0 ? (100 * passed) / (passed + failed) : 0
  }
  const { line, threshold } = gates.coverage
  return name === 'coverage' && line !== null && threshold > 0 ? Math.min(100, (100 * line) / threshold) : 0
}
