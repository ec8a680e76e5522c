import type { AnalysisFile } from '../../src/contracts/circt-files.js'
import type { GitHubIssue } from '../../src/contracts/github-issue.js'

/** An analysis of nothing in particular, with what a test is about filled in. */
export function anAnalysis(parts: Partial<AnalysisFile> = {}): AnalysisFile {
  return {
    version: '2.0',
    analysis_type: 'rules',
    degraded: false,
    dialect: null,
    failing_pass: null,
    crash_type: 'crash',
    assertion_message: null,
    crash_location: { file: null, function: null, line: null },
    frames: [],
    test_case: { language: 'mlir', key_constructs: [], problematic_patterns: [] },
    hypotheses: [],
    keywords: [],
    suggested_sources: [],
    signature: null,
    ...parts,
  }
}

export function anIssue(number: number, parts: Partial<GitHubIssue> = {}): GitHubIssue {
  return {
    number,
    title: '',
    state: 'open',
    labels: [],
    body: '',
    html_url: `https://github.com/llvm/circt/issues/${number}`,
    ...parts,
  }
}
