import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ScoreOrder } from '../../contracts/eval-score.js'
import { Failure } from '../../contracts/failures.js'
import type { RunProcess } from '../../contracts/process.js'
import type { ArtifactStore } from '../../contracts/store.js'
import { writeWhole } from '../folder/write-whole.js'
import { findPython } from '../gates/find-python.js'
import { GATE_LIMITS, type GateBox } from '../gates/gate-box.js'
import { UNITTEST_FILE } from '../gates/python-plans.js'
import { UNITTEST_PROGRAM } from '../gates/python-unittest.js'
import type { Env } from '../state-home.js'
import { layOver, openCandidate } from './open-candidate.js'

/** What a judging program is given: made once per activity attempt, in `activities/`. */
export interface JudgeBox {
  run: RunProcess
  isSandboxed: boolean
  store: ArtifactStore
  /** Absolute path of a fresh, private folder that is removed when the attempt ends. */
  scratch: string
  /** Of the worker: where programs are found. Programs get nothing of it. */
  env: Env
  signal: AbortSignal
}

/** A candidate's copy, made ready to be measured. */
export interface Bench {
  box: GateBox
  /** The candidate's own files that no file of the judge has replaced. */
  own: string[]
  hasOwnRules: boolean
}

/**
 * Lays out the candidate, and the judge's files over it: what a candidate says of its own tests does not count where the judge brings
 * them. A scoring script lies beside the candidate instead, where programs may read but not write.
 */
export async function layOut(judgeBox: JudgeBox, order: ScoreOrder): Promise<Bench> {
  const { store, scratch, run, isSandboxed, env, signal } = judgeBox
  const { judge, candidate } = order
  if (!isSandboxed && !order.allow_unsandboxed)
    throw new Failure('Tool.Missing', 'bubblewrap: candidates run in a sandbox, or where a person agrees to go without')
  const [copy, tools] = [join(scratch, 'project'), join(scratch, 'tools')]
  const files = await openCandidate(store, candidate, copy)
  await mkdir(tools)
  await writeWhole(tools, UNITTEST_FILE, UNITTEST_PROGRAM)
  const isBeside = judge.measure === 'score'
  if (judge.files !== null && !isBeside) await removeRules(copy)
  const over = judge.files === null ? [] : await layOver(store, judge.files, isBeside ? tools : copy)
  const replaced = new Set(isBeside ? [] : over)
  const limits = { ...GATE_LIMITS, memoryBytes: MEMORY_BYTES, timeMs: order.limit_seconds * 1000 }
  const box: Omit<GateBox, 'python'> = { run, isSandboxed, copy, scratch, env, limits, signal }
  const python = [...files, ...over].some((path) => path.endsWith('.py')) ? await findPython(box) : null
  return {
    box: { ...box, python },
    own: files.filter((path) => !replaced.has(path)),
    hasOwnRules: judge.files === null,
  }
}

const MEMORY_BYTES = 2 * 1024 ** 3

/** Files by which a candidate could say what its tests are, or how they are run. */
async function removeRules(copy: string): Promise<void> {
  for (const name of ['gauntlet.json', '.npmrc']) await rm(join(copy, name), { recursive: true, force: true })
}
