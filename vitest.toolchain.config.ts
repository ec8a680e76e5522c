import { defineConfig } from 'vitest/config'
import base from './vitest.config.js'

/** Tests that need the 300 MB CIRCT toolchain; see CONTRIBUTING.md. */
export default defineConfig({
  ...base,
  test: { ...base.test, include: ['test/toolchain/**/*.test.ts'], exclude: [], testTimeout: 600_000 },
})
