import type { z } from 'zod'
import {
  AnalysisResult,
  CaseOrder,
  DuplicatesOrder,
  DuplicatesResult,
  GenerateOrder,
  GenerateResult,
  MinimizeResult,
  ReproduceResult,
  ValidateOrder,
  ValidateResult,
} from '../contracts/circt.js'
import { Failure } from '../contracts/failures.js'
import { analyzeFromError } from '../tools/circt/analyze-from-error.js'
import { analyzeRootCause } from '../tools/circt/analyze-root-cause.js'
import { checkDuplicates } from '../tools/circt/check-duplicates.js'
import type { CirctBox } from '../tools/circt/circt-box.js'
import { generateIssue } from '../tools/circt/generate-issue.js'
import { minimizeCase } from '../tools/circt/minimize-case.js'
import { reproduceCrash } from '../tools/circt/reproduce-crash.js'
import { validateCase } from '../tools/circt/validate-case.js'
import { withScratch } from '../tools/folder/scratch.js'
import { type Attempt, perform } from './perform.js'

/** What the worker knows and an attempt does not. */
export interface CirctSetup extends Omit<CirctBox, 'scratch' | keyof Attempt> {
  scratchRoot: string
  isSandboxed: boolean
}

/** The activities of the circt pipeline: each gives a tool its box, and nothing else. */
export function createCirctActivities(setup: CirctSetup) {
  const step = <I extends z.ZodType, O extends z.ZodType>(row: Step<I, O>) => {
    const { name, input, output, tool } = row
    const run = (order: z.infer<I>, attempt: Attempt) =>
      withScratch(setup.scratchRoot, (scratch) => tool(order, boxFor(setup, { attempt, scratch, order })))
    return perform({ name, store: setup.store, input, output, run })
  }
  return {
    reproduceCrash: step({ name: 'reproduceCrash', input: CaseOrder, output: ReproduceResult, tool: reproduceCrash }),
    analyzeRootCause: step({
      name: 'analyzeRootCause',
      input: CaseOrder,
      output: AnalysisResult,
      tool: analyzeRootCause,
    }),
    analyzeFromError: step({
      name: 'analyzeFromError',
      input: CaseOrder,
      output: AnalysisResult,
      tool: analyzeFromError,
    }),
    minimizeCase: step({ name: 'minimizeCase', input: CaseOrder, output: MinimizeResult, tool: minimizeCase }),
    validateCase: step({ name: 'validateCase', input: ValidateOrder, output: ValidateResult, tool: validateCase }),
    checkDuplicates: step({
      name: 'checkDuplicates',
      input: DuplicatesOrder,
      output: DuplicatesResult,
      tool: checkDuplicates,
    }),
    generateIssue: step({ name: 'generateIssue', input: GenerateOrder, output: GenerateResult, tool: generateIssue }),
  }
}

interface Step<I extends z.ZodType, O extends z.ZodType> {
  name: string
  input: I
  output: O
  tool: (order: z.infer<I>, box: CirctBox) => Promise<z.infer<O>>
}

interface BoxNeeds {
  attempt: Attempt
  scratch: string
  order: unknown
}

/** Every program of the attempt hears the attempt's signal, and runs without a sandbox only where the person agreed to it. */
function boxFor(setup: CirctSetup, { attempt, scratch, order }: BoxNeeds): CirctBox {
  const run: CirctBox['run'] = (program) => {
    if (!setup.isSandboxed && !allowsUnsandboxed(order)) throw new Failure('Tool.Missing', NO_SANDBOX)
    return setup.run({ ...program, signal: program.signal ?? attempt.signal })
  }
  return { ...setup, ...attempt, run, scratch }
}

const NO_SANDBOX = 'sandbox: expected bubblewrap on the worker, found none; install it, or agree with --unsandboxed'

function allowsUnsandboxed(order: unknown): boolean {
  const parsed = CaseOrder.safeParse(order)
  return parsed.success && parsed.data.case.allow_unsandboxed
}
