import { defineConfig } from 'vitest/config'

/** Benchmarks: `npm run bench -- schedule`. Each prints its table; none is part of the tests. */
export default defineConfig({
  test: {
    include: ['bench/**/*.bench.ts'],
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
    disableConsoleIntercept: true,
  },
})
