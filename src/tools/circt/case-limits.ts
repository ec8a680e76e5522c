import type { ProcessLimits } from '../../contracts/process.js'

/**
 * What one run of a case's command may use. The slowest healthy run among real cases takes under a second and 200 MB, so a run that reaches
 * one of these does not come to an end. Memory is the tighter of the two on purpose: of what grows without bound, "memory" says more than "time".
 */
export const CASE_LIMITS: ProcessLimits = {
  timeMs: 30_000,
  memoryBytes: 2 * 1024 ** 3,
  outputBytes: 64 * 1024 ** 2,
  processes: 64,
  fileBytes: 256 * 1024 ** 2,
  diskBytes: 1024 ** 3,
}
