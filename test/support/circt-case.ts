import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CaseCommand, CaseOrder, MinimizeResult, SourceLanguage } from '../../src/contracts/circt.js'
import type { CirctBox, Toolchain } from '../../src/tools/circt/circt-box.js'
import { createRunner } from '../../src/tools/process/runner.js'
import { downloadCache, stateHome } from '../../src/tools/state-home.js'
import { memoryStore } from './memory-store.js'

/** A folder of its own for a test file, with links followed (macOS keeps its temporary folder behind one). */
export function testFolder(name: string): string {
  return mkdtempSync(join(realpathSync(tmpdir()), `gauntlet-${name}-`))
}

/** A toolchain of one shell script that plays `tool`. */
export function scriptedToolchain(root: string, tool: string, script: string): Toolchain {
  const folder = join(root, 'firtool-9.9.9')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, tool), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, tool), 0o755)
  return { version: '9.9.9', has: (name) => name === tool, pathOf: (name) => join(folder, name) }
}

/** The folder of firtool of this version, from CIRCT_BIN or from what was fetched before; null where it is not to be had without a download. */
export function installedFirtool(version: string): string | null {
  const named = process.env['CIRCT_BIN']
  const folders = [
    ...(named === undefined ? [] : [join(named, `firtool-${version}`)]),
    join(downloadCache(stateHome(process.env), process.env), `circt-${version}`),
  ]
  return folders.find((folder) => existsSync(join(folder, 'firtool'))) ?? null
}

export interface CaseParts {
  source: string
  errorText?: string
  language?: SourceLanguage
  command?: Partial<CaseCommand>
  script?: string
}

/** A box without a sandbox around a case in an own scratch folder below `root`. */
export async function boxedCase(
  root: string,
  toolchain: Toolchain | null,
  parts: CaseParts,
): Promise<{ box: CirctBox; order: CaseOrder }> {
  const store = memoryStore()
  const language = parts.language ?? 'fir'
  const box: CirctBox = {
    run: createRunner({ sandbox: 'none' }),
    store,
    toolchainFor: async () => toolchain ?? { version: null, has: () => false, pathOf: (tool) => join(root, tool) },
    scratch: mkdtempSync(join(root, 'scratch-')),
    circtSource: null,
    gdb: null,
    parallelism: 1,
    signal: new AbortController().signal,
    heartbeat: () => undefined,
    previous: undefined,
  }
  const order: CaseOrder = {
    run_id: 'circt/test',
    case: {
      crash_id: 'test',
      language,
      source: await store.put(`source.${language}`, parts.source, 'text/plain'),
      error: await store.put('error.txt', parts.errorText ?? '', 'text/plain'),
      command: { tool: 'firtool', version: null, args: ['{input}'], ...parts.command },
      interesting: parts.script === undefined ? null : await store.put('interesting', parts.script, 'text/plain'),
      allow_unsandboxed: true,
    },
  }
  return { box, order }
}

/** What a reduction that changed nothing hands on. */
export const UNREDUCED: MinimizeResult = {
  original_lines: 1,
  minimized_lines: 1,
  reduction_percent: 0,
  oracle_runs: 1,
  is_one_minimal: true,
  signature: { kind: 'none', signal: null, failing_pass: null, message: null, frames: [] },
  note: '',
  artifacts: [],
}
