import type { Finding } from '../../src/contracts/review-report.js'

export const finding = (said: Partial<Finding> = {}): Finding => ({
  id: 'ISSUE-001',
  relevantFile: 'src/a.js',
  existingCode: 'eval(x)',
  suggestionContent: 'eval runs what it is given. Parse it instead.',
  improvedCode: 'JSON.parse(x)',
  label: 'Security',
  suggestionLine: 3,
  severity: 'High',
  startLine: 3,
  endLine: 3,
  isWholeLines: false,
  rule: null,
  source: 'reviewer',
  fingerprint: '0123456789abcdef0123456789abcdef',
  flags: [],
  evidence: null,
  ...said,
})
