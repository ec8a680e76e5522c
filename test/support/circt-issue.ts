import type { GenerateOrder } from '../../src/contracts/circt.js'
import type { IssueFacts } from '../../src/rules/circt/issue-text-facts.js'
import { anAnalysis } from './circt-analysis.js'

const none = { name: 'x', sha256: '0'.repeat(64), size: 0, media_type: 'text/plain' }

/** The order of a run in which all went well. */
export function aGenerateOrder(): GenerateOrder {
  return {
    run_id: 'run',
    case: {
      crash_id: 'crash',
      language: 'sv',
      source: none,
      error: none,
      command: { tool: 'circt-opt', version: null, args: ['--canonicalize', '{input}'] },
      interesting: null,
      allow_unsandboxed: false,
    },
    reproduce: {
      reproduced: true,
      match_result: 'exact_match',
      runs: 3,
      reproduced_runs: 3,
      tool_version: '1.155.0',
      exit_code: null,
      signal: 'SIGSEGV',
      signature: null,
      is_sandboxed: true,
      note: '',
      artifacts: [],
    } as GenerateOrder['reproduce'],
    root_cause_analysis: {
      degraded: false,
      dialect: 'comb',
      failing_pass: null,
      crash_type: 'crash',
      keywords: [],
      note: '',
      artifacts: [],
    },
    minimize: {
      original_lines: 40,
      minimized_lines: 2,
      reduction_percent: 95,
      oracle_runs: 9,
      is_one_minimal: true,
      signature: { kind: 'crash', signal: 'SIGSEGV', failing_pass: 'CanonicalizerPass', message: null, frames: [] },
      note: '',
      artifacts: [],
    },
    validate: { result: 'report', confidence: 'high', reason: 'the tool crashes', artifacts: [] },
    check_duplicates: {
      action: 'new_issue',
      top_score: 0,
      top_issue: null,
      similar_count: 0,
      is_corroborated: false,
      note: 'nothing in common with 74 issues',
      artifacts: [],
    },
  }
}

export function someFacts(parts: Partial<IssueFacts> = {}): IssueFacts {
  return {
    order: aGenerateOrder(),
    analysis: anAnalysis({
      dialect: 'comb',
      failing_pass: 'CanonicalizerPass',
      frames: ['extractConcat', 'circt::comb::ExtractOp::canonicalize'],
      hypotheses: [
        {
          description: 'A cycle of `comb.extract` is folded for ever',
          confidence: 'medium',
          evidence: ['two ops use each other'],
        },
        { description: 'second best', confidence: 'low', evidence: [] },
      ],
      suggested_sources: [{ path: 'lib/Dialect/Comb/CombFolds.cpp', reason: 'defines extractConcat' }],
    }),
    validation: null,
    duplicates: null,
    command: '/opt/tools/circt-opt --canonicalize {input}',
    testCaseName: 'bug.mlir',
    testCase: 'hw.module @m() {\n}\n',
    original: 'module m;\nendmodule\n',
    onePass: null,
    errorLog: 'PLEASE submit a bug report\nStack dump:\n0.\tProgram arguments: /opt/tools/circt-opt bug.mlir\n',
    errorText: 'Segmentation fault\n',
    minimizeReport: '',
    identities: [],
    ...parts,
  }
}
