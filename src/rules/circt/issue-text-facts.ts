import type { AnalysisFile, DuplicatesFile, ValidationFile } from '../../contracts/circt-files.js'
import type { GenerateOrder } from '../../contracts/circt.js'

/** All that an issue is written from: the steps' results and their files, read. Texts are as the programs gave them. */
export interface IssueFacts {
  order: Pick<
    GenerateOrder,
    'reproduce' | 'root_cause_analysis' | 'minimize' | 'validate' | 'check_duplicates' | 'case'
  >
  analysis: AnalysisFile | null
  validation: ValidationFile | null
  duplicates: DuplicatesFile | null
  /** One line, as minimize left it, with `{input}` or the file's name for its input. */
  command: string
  /** 'bug.mlir'. */
  testCaseName: string
  testCase: string
  original: string
  /** MLIR with its command as a comment in the first line: see `reduceOnePass`; null when there is none. */
  onePass: string | null
  /** What the tool prints on the test case. */
  errorLog: string
  /** The user's error.txt: says whether a fuzzer found it. */
  errorText: string
  minimizeReport: string
  /** User and host names of the worker's machine, kept out of what programs said. */
  identities: readonly string[]
}
