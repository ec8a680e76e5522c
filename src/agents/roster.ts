import type { RoleName } from '../contracts/agent.js'
import type { Role } from './role.js'
import { codeReviewer } from './roles/code-reviewer.js'
import { codeVerifier } from './roles/code-verifier.js'
import { codeWriter } from './roles/code-writer.js'
import { coder } from './roles/coder.js'
import { defectAnalyst } from './roles/defect-analyst.js'
import { devilsAdvocate } from './roles/devils-advocate.js'
import { executor } from './roles/executor.js'
import { finalReviewer } from './roles/final-reviewer.js'
import { performanceAnalyzer } from './roles/performance-analyzer.js'
import { planner } from './roles/planner.js'
import { qualityChecker } from './roles/quality-checker.js'
import { researcher } from './roles/researcher.js'
import { resurrectionEvaluator } from './roles/resurrection-evaluator.js'
import { reviewer } from './roles/reviewer.js'
import { screener } from './roles/screener.js'
import { securityReviewer } from './roles/security-reviewer.js'
import { tester } from './roles/tester.js'

/** Every role, by its name. */
export const ROSTER: Record<RoleName, Role> = {
  planner,
  tester,
  coder,
  executor,
  reviewer,
  researcher,
  'code-writer': codeWriter,
  'security-reviewer': securityReviewer,
  'quality-checker': qualityChecker,
  'performance-analyzer': performanceAnalyzer,
  screener,
  'defect-analyst': defectAnalyst,
  'devils-advocate': devilsAdvocate,
  'final-reviewer': finalReviewer,
  'resurrection-evaluator': resurrectionEvaluator,
  'code-reviewer': codeReviewer,
  'code-verifier': codeVerifier,
}
