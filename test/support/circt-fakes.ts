import { ApplicationFailure, Context } from '@temporalio/activity'
import type { Artifact } from '../../src/contracts/artifact.js'
import type {
  AnalysisResult,
  CirctInput,
  DuplicatesResult,
  GenerateResult,
  MinimizeResult,
  ReproduceResult,
  ValidateResult,
  ValidationClass,
} from '../../src/contracts/circt.js'
import type { FailureType } from '../../src/contracts/failures.js'

/** What a faked step does: how long it takes (milliseconds) and what comes out; a failure type means it fails so, every time. */
export interface FakeStep<T extends string> {
  outcome: T | FailureType
  ms?: number
  /** Fail this many times, then succeed with `outcome`. */
  failFirst?: { times: number; type: FailureType; retryAfterMs?: number }
}

export interface FakeScript {
  reproduce: FakeStep<'yes' | 'no' | 'inconclusive'>
  root_cause_analysis: FakeStep<'done'>
  fallback: FakeStep<'done'>
  minimize: FakeStep<'done'>
  validate: FakeStep<ValidationClass>
  check_duplicates: FakeStep<'new' | 'duplicate' | 'corroborated' | 'unknown'>
  generate_issue: FakeStep<'done'>
}

export const GOOD_SCRIPT: FakeScript = {
  reproduce: { outcome: 'yes' },
  root_cause_analysis: { outcome: 'done' },
  fallback: { outcome: 'done' },
  minimize: { outcome: 'done' },
  validate: { outcome: 'report' },
  check_duplicates: { outcome: 'new' },
  generate_issue: { outcome: 'done' },
}

/** Which script a run follows is looked up by its key, so that many runs share one worker. */
export type Scripts = Map<string, FakeScript>

/** Activities of the circt pipeline that only wait and answer. `calls` lists what was asked, in order, as `key/step`. */
export function fakeCirctActivities(scripts: Scripts, calls: string[] = []) {
  const tries = new Map<string, number>()
  const answer = async <T>(name: keyof FakeScript, results: Record<string, T>): Promise<T> => {
    const key = Context.current().info.workflowExecution?.workflowId.replace(/^circt\//, '') ?? ''
    const step = scripts.get(key)?.[name] ?? GOOD_SCRIPT[name]
    calls.push(`${key}/${name}`)
    await pause(step.ms ?? 0)
    const count = (tries.get(`${key}/${name}`) ?? 0) + 1
    tries.set(`${key}/${name}`, count)
    if (step.failFirst !== undefined && count <= step.failFirst.times) {
      const { type, retryAfterMs } = step.failFirst
      throw ApplicationFailure.create({
        type,
        message: `fake ${name}`,
        nonRetryable: true,
        details: [{ retryAfterMs }],
      })
    }
    const result = results[step.outcome]
    if (result !== undefined) return result
    throw ApplicationFailure.create({ type: step.outcome, message: `fake ${name}`, nonRetryable: true })
  }
  return {
    reproduceCrash: () => answer('reproduce', REPRODUCED),
    analyzeRootCause: () => answer('root_cause_analysis', { done: ANALYSIS }),
    analyzeFromError: () => answer('fallback', { done: { ...ANALYSIS, degraded: true } }),
    minimizeCase: () => answer('minimize', { done: MINIMIZED }),
    validateCase: () => answer('validate', VALIDATED),
    checkDuplicates: () => answer('check_duplicates', DUPLICATES),
    generateIssue: () => answer('generate_issue', { done: ISSUE }),
  }
}

/** An input that fits the contract. */
export function fakeInput(key: string, overrides: Partial<CirctInput> = {}): CirctInput {
  return {
    crash_id: key,
    language: 'fir',
    source: file('source.fir'),
    error: file('error.txt'),
    command: { tool: 'firtool', version: null, args: ['{input}'] },
    interesting: null,
    answer_within_seconds: 0,
    allow_unsandboxed: false,
    schedule: 'eager',
    issues: null,
    repo: 'llvm/circt',
    recovered: {},
    names: { source_file: 'source.fir', error_file: 'error.txt' },
    input_digest: 'digest',
    ...overrides,
  }
}

async function pause(ms: number): Promise<void> {
  const context = Context.current()
  const beat = setInterval(() => context.heartbeat(), 200)
  try {
    await context.sleep(ms)
  } finally {
    clearInterval(beat)
  }
}

export function file(name: string): Artifact {
  return { name, sha256: 'a'.repeat(64), size: 1, media_type: 'text/plain' }
}

const SIGNATURE = { kind: 'crash', signal: 'SIGSEGV', failing_pass: 'LowerTypes', message: null, frames: [] } as const

const REPRODUCE: ReproduceResult = {
  reproduced: true,
  match_result: 'exact_match',
  runs: 3,
  reproduced_runs: 3,
  tool_version: '1.62.1',
  exit_code: 139,
  signature: { ...SIGNATURE, frames: [] },
  is_sandboxed: true,
  note: '',
  artifacts: [file('metadata.json'), file('reproduce.log')],
}
const REPRODUCED: Record<string, ReproduceResult> = {
  yes: REPRODUCE,
  no: { ...REPRODUCE, reproduced: false, match_result: 'no_crash', reproduced_runs: 0 },
  inconclusive: { ...REPRODUCE, reproduced: 'inconclusive', reproduced_runs: 0, note: 'out of time' },
}

const ANALYSIS: AnalysisResult = {
  degraded: false,
  dialect: 'firrtl',
  failing_pass: 'LowerTypes',
  crash_type: 'crash',
  keywords: ['LowerTypes'],
  note: '',
  artifacts: [file('analysis.json'), file('root_cause.md')],
}

const MINIMIZED: MinimizeResult = {
  original_lines: 100,
  minimized_lines: 5,
  reduction_percent: 95,
  oracle_runs: 42,
  is_one_minimal: true,
  signature: { ...SIGNATURE, frames: [] },
  note: '',
  artifacts: ['bug.fir', 'error.log', 'command.txt', 'minimize_report.md'].map(file),
}

const CLASSES = ['report', 'feature_request', 'existing_issue', 'not_a_bug', 'invalid_testcase'] as const
const VALIDATED: Record<string, ValidateResult> = Object.fromEntries(
  CLASSES.map((result) => [
    result,
    { result, confidence: 'high', reason: 'fake', artifacts: [file('validation.json'), file('validation.md')] },
  ]),
)

const SEARCH: DuplicatesResult = {
  action: 'new_issue',
  top_score: 1,
  top_issue: null,
  similar_count: 0,
  is_corroborated: false,
  note: '',
  artifacts: [file('duplicates.json'), file('duplicates.md')],
}
const PROBABLE: DuplicatesResult = {
  ...SEARCH,
  action: 'review_existing',
  top_score: 10,
  top_issue: { number: 42, title: 'the same', url: 'https://github.com/llvm/circt/issues/42', score: 10 },
}
const DUPLICATES: Record<string, DuplicatesResult> = {
  new: SEARCH,
  duplicate: PROBABLE,
  corroborated: { ...PROBABLE, is_corroborated: true },
  unknown: { ...SEARCH, action: 'unknown' },
}

const ISSUE: GenerateResult = { title: '[FIRRTL] a crash', artifacts: [file('issue.md')] }
