export { bareReport } from './bare-workflow.js'
export { circtBugReport } from '../src/workflows/circt-bug-report.js'
