import { Linter } from 'eslint'
import { lint } from './eslint-analyser.js'
import type { AnalyseText } from './raw-finding.js'

/** Figures of functions beyond what reads well, and waits that could go together: for JavaScript and TypeScript. */
export function createMetricsAnalyser(): AnalyseText {
  const linter = new Linter()
  return (text) => lint(linter, text, METRIC_RULES)
}

/** Limits as the quality review names them. */
const METRIC_RULES: Linter.RulesRecord = {
  complexity: ['warn', { max: 10 }],
  'max-depth': ['warn', { max: 4 }],
  'max-lines-per-function': ['warn', { max: 80, skipBlankLines: true, skipComments: true }],
  'max-params': ['warn', { max: 6 }],
  'no-await-in-loop': 'warn',
}
