import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LinterBox } from '../../src/tools/linters/linter-box.js'
import { createRunner } from '../../src/tools/process/runner.js'
import { detectSandbox } from '../../src/tools/process/sandbox.js'
import { compileForChildren } from './compiled.js'

export interface TestLinters {
  box: LinterBox
  remove(): void
}

/** A box for real analysers, in the sandbox where there is one. */
export async function openLinters(env: Record<string, string> = {}): Promise<TestLinters> {
  const compiled = compileForChildren(['tools/linters/analyse-child'])
  const scratch = mkdtempSync(join(tmpdir(), 'gauntlet-linters-'))
  const sandbox = await detectSandbox()
  const run = createRunner(
    sandbox.kind === 'none' ? { sandbox: 'none' } : { sandbox: 'bubblewrap', bwrapPath: sandbox.path },
  )
  const childScript = compiled.fileOf('tools/linters/analyse-child')
  return {
    box: { run, scratch, env, childScript, signal: new AbortController().signal },
    remove: () => {
      compiled.remove()
      rmSync(scratch, { recursive: true, force: true })
    },
  }
}
