import type { RunProcess } from '../../contracts/process.js'
import type { Env } from '../state-home.js'

/** What analysers run with. */
export interface LinterBox {
  run: RunProcess
  /** Private folder, absolute: the texts that a program wants as files are copied there. */
  scratch: string
  /** Where programs (ruff, bandit) are looked for; they get nothing of it. */
  env: Env
  /** Absolute path of the compiled `analyse-child`. */
  childScript: string
  signal: AbortSignal
}
