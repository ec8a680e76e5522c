import type { Dimension, Severity } from '../../contracts/aggregate.js'

/** Points a reviewer takes from 100 for each issue. What a dimension has no Critical for counts like High there. */
export const DEDUCTIONS = {
  security: { Critical: 25, High: 15, Medium: 5, Low: 2 },
  quality: { Critical: 10, High: 10, Medium: 5, Low: 2 },
  performance: { Critical: 15, High: 15, Medium: 8, Low: 3 },
} as const satisfies Record<Dimension, Record<Severity, number>>

/** 100 less the deductions, not below 0. */
export function scoreByDeductions(dimension: Dimension, issues: readonly { severity: Severity }[]): number {
  const lost = issues.reduce((sum, { severity }) => sum + DEDUCTIONS[dimension][severity], 0)
  return Math.max(0, 100 - lost)
}
