import { describe, expect, it } from 'vitest'
import type { CirctOutcomes } from '../../src/contracts/circt.js'
import { CIRCT_STEPS } from '../../src/rules/circt/schedule.js'
import { recoverableSteps } from '../../src/rules/cli-recovery.js'

describe('recoverableSteps', () => {
  it('takes over all of a finished run', () => {
    expect(Object.keys(recoverableSteps(outcomes()))).toEqual([...CIRCT_STEPS])
  })

  it.each([
    ['reproduce', ['generate_issue']],
    ['root_cause_analysis', ['check_duplicates', 'generate_issue']],
    ['minimize', ['validate', 'generate_issue']],
    ['validate', ['generate_issue']],
    ['check_duplicates', ['generate_issue']],
    ['generate_issue', []],
  ] as const)('without %s it takes over nothing that was made from it', (missing, alsoMissing) => {
    const kept = recoverableSteps(outcomes([missing]))
    const gone: readonly string[] = [missing, ...alsoMissing]
    expect(Object.keys(kept)).toEqual(CIRCT_STEPS.filter((step) => !gone.includes(step)))
  })

  it('tries an inconclusive reproduction and an unknown search again', () => {
    const inconclusive = { ...outcomes(), reproduce: { reproduced: 'inconclusive' } } as CirctOutcomes
    expect(recoverableSteps(inconclusive).reproduce).toBeUndefined()
    const unknown = { ...outcomes(), check_duplicates: { action: 'unknown' } } as CirctOutcomes
    expect(recoverableSteps(unknown).check_duplicates).toBeUndefined()
  })
})

/** Only what the rule looks at. */
function outcomes(without: readonly string[] = []): CirctOutcomes {
  const all = { reproduce: { reproduced: true }, check_duplicates: { action: 'new_issue' } }
  const entries = CIRCT_STEPS.map((step) => [step, { ...(all as Record<string, object>)[step] }])
  return Object.fromEntries(entries.filter(([step]) => !without.includes(step as string))) as CirctOutcomes
}
