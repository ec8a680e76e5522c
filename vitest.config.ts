import { defineConfig } from 'vitest/config'
import { LONG } from './vitest.long.config.js'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/toolchain/**', ...LONG],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    reporters: ['default', './test/totals-reporter.ts'],
  },
})
