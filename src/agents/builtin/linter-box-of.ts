import type { LinterBox } from '../../tools/linters/linter-box.js'
import { CHILD_SCRIPT } from '../../tools/linters/run-child.js'
import type { Env } from '../../tools/state-home.js'
import type { AgentBox } from '../backends/backend.js'

/** The analysers' box within an agent's: its sandbox, its folder, its clock. */
export function linterBoxOf(box: AgentBox, env: Env): LinterBox {
  return {
    run: ({ argv, stdin, readable = [], limits }) =>
      box.run({ argv, readable, timeMs: limits.timeMs, ...(typeof stdin === 'string' ? { stdin } : {}) }),
    scratch: box.cwd,
    env,
    childScript: CHILD_SCRIPT,
    signal: box.signal,
  }
}
