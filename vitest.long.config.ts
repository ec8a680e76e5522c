import { defineConfig } from 'vitest/config'

/** Whole pipelines through the real command line, killed and gone on, and a jury that is read again at every step: a suite of their own. */
export const LONG = [
  'test/e2e/phase-*.test.ts',
  'test/e2e/judged-eval.test.ts',
  'test/e2e/refine.test.ts',
  'test/e2e/review*.test.ts',
  'test/tools/dependencies/real-managers.test.ts',
  'test/workflows/continued-eval.test.ts',
]

export default defineConfig({
  test: {
    include: LONG,
    testTimeout: 60_000,
    hookTimeout: 300_000,
    maxWorkers: 1,
    reporters: ['default', './test/totals-reporter.ts'],
  },
})
