import { describe, expect, it } from 'vitest'
import { Failure } from '../../../src/contracts/failures.js'
import type { FailureType } from '../../../src/contracts/failures.js'
import { createRunner } from '../../../src/tools/process/runner.js'
import { patientRun } from '../../../src/tools/reduce/patient-run.js'
import { order } from '../process/orders.js'

const real = createRunner({ sandbox: 'none' })

function failing(times: number, type: FailureType) {
  const seen = { runs: 0 }
  const run = patientRun(
    async (ordered) => {
      seen.runs += 1
      if (seen.runs <= times) throw new Failure(type, 'cannot start')
      return real(ordered)
    },
    [1, 1],
  )
  return { seen, run }
}

describe('a run on a busy machine', () => {
  it('is tried again when it could not be started', async () => {
    const { seen, run } = failing(2, 'Tool.Failed')
    expect((await run(order(['/bin/true']))).exitCode).toBe(0)
    expect(seen.runs).toBe(3)
  })

  it('fails after the last wait', async () => {
    const { seen, run } = failing(3, 'Tool.Failed')
    await expect(run(order(['/bin/true']))).rejects.toThrow('cannot start')
    expect(seen.runs).toBe(3)
  })

  it('is not tried again when the program is missing, nor for how it ended', async () => {
    const missing = failing(1, 'Tool.Missing')
    await expect(missing.run(order(['/bin/true']))).rejects.toThrow('cannot start')
    expect(missing.seen.runs).toBe(1)
    const ended = failing(0, 'Tool.Failed')
    expect((await ended.run(order(['/bin/false']))).exitCode).toBe(1)
    expect(ended.seen.runs).toBe(1)
  })

  it('stops waiting when it is cancelled', async () => {
    const run = patientRun(() => Promise.reject(new Failure('Tool.Failed', 'cannot start')), [60_000])
    await expect(run(order(['/bin/true'], { signal: AbortSignal.timeout(20) }))).rejects.toThrow(/abort/u)
  })
})
