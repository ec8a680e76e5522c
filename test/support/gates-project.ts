import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { QualityReport } from '../../src/contracts/quality.js'
import { GATE_LIMITS } from '../../src/tools/gates/gate-box.js'
import { type GatesOrder, runGates } from '../../src/tools/gates/run-gates.js'
import { createRunner } from '../../src/tools/process/runner.js'
import { detectSandbox } from '../../src/tools/process/sandbox.js'

const sandbox = await detectSandbox()
export const hasSandbox = sandbox.kind === 'bubblewrap'

/** Writes a project to a fresh folder, which the caller removes. */
export function aProject(files: Record<string, string>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gauntlet-gates-')))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

/** A Node project with these scripts. */
export function nodeProject(scripts: Record<string, string>, files: Record<string, string> = {}): string {
  return aProject({ 'package.json': JSON.stringify({ type: 'module', scripts }), ...files })
}

/** Judges a project as `gauntlet gates` does: in the sandbox where there is one. */
export async function judged(repo: string, order: Partial<GatesOrder> = {}): Promise<QualityReport> {
  const scratchRoot = aProject({})
  try {
    return await runGates(orderOf(repo, scratchRoot, order))
  } finally {
    // Only if it is empty: the gates leave nothing behind.
    rmdirSync(scratchRoot)
  }
}

function orderOf(repo: string, scratchRoot: string, order: Partial<GatesOrder>): GatesOrder {
  return {
    repo,
    scratchRoot,
    run: createRunner(
      sandbox.kind === 'bubblewrap' ? { sandbox: 'bubblewrap', bwrapPath: sandbox.path } : { sandbox: 'none' },
    ),
    isSandboxed: hasSandbox,
    env: process.env,
    level: null,
    only: null,
    leaveOut: [],
    signal: new AbortController().signal,
    ...order,
    limits: { ...GATE_LIMITS, timeMs: 60_000, ...order.limits },
  }
}

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))

/** Copies packages of ours, with all they need, to the node_modules of a project. */
export function installOurs(repo: string, names: readonly string[]): void {
  const waiting = [...names]
  const seen = new Set<string>()
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const from = join(MODULES, name)
    if (seen.has(name) || !existsSync(from)) continue
    seen.add(name)
    cpSync(from, join(repo, 'node_modules', name), { recursive: true })
    const manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as Record<string, object>
    waiting.push(...Object.keys({ ...manifest['dependencies'], ...manifest['optionalDependencies'] }))
  }
}
