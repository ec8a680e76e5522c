import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PhaseResult } from '../../src/contracts/phase-run.js'
import { ResultDocument } from '../../src/contracts/run.js'
import { python } from '../support/agent-door.js'
import { ensureBuilt, openPlace, type Place } from '../support/e2e-cli.js'
import { aRepository, git } from '../support/git-repository.js'
import { SMALL_PROJECT, SMALL_SCRIPT } from '../support/small-phase.js'

const COMMAND_AGENT = fileURLToPath(new URL('../../examples/phase/agent.py', import.meta.url))
const ACP_AGENT = fileURLToPath(new URL('../fixtures/agents/scripted-agent.mjs', import.meta.url))
const SDK = createRequire(import.meta.url).resolve('@agentclientprotocol/sdk')

let place: Place
let script: string
let repo: string

beforeAll(async () => {
  await ensureBuilt()
  place = openPlace('phase-backends')
  repo = aRepository(SMALL_PROJECT)
  // In a folder of its own: an agent is shown the folders of the files that it is given.
  script = join(place.root, 'script', 'script.json')
  mkdirSync(join(place.root, 'script'))
  writeFileSync(script, JSON.stringify(SMALL_SCRIPT))
}, 180_000)

afterAll(() => place?.close())

interface Ran {
  verdict: string
  tree: string
  files: string[]
  /** A line for each attempt that was taken: its step, round and role. */
  rounds: string[]
  tasks: unknown
}

async function run(key: string, agent: string): Promise<Ran> {
  const into = join(place.root, `${key}.git`)
  const [order, options] = [
    ['run', 'phase', 'Mean and spread'],
    ['--isolation', 'always', '--unsandboxed', '--json'],
  ]
  const places = ['--repo', repo, '--run-repository', into]
  const ended = await place.run([...order, ...places, '--agent', `*=${agent}`, '--key', key, ...options])
  if (ended.stdout === '') throw new Error(`${key} printed nothing: ${ended.stderr}`)
  const document = ResultDocument.parse(JSON.parse(ended.stdout))
  const { commit, base, tasks } = PhaseResult.parse(document.result)
  return {
    verdict: document.verdict,
    tree: git(into, 'rev-parse', `${commit}^{tree}`),
    files: git(into, 'ls-tree', '-r', '--name-only', commit).split('\n'),
    rounds: git(into, 'log', '--no-merges', '--format=%s', `${base}..${commit}`).split('\n').sort(),
    tasks: tasks.map(({ id, status, seen_red, review }) => [id, status, seen_red, review?.answer.name]),
  }
}

describe.skipIf(python === null)('the same plan and the same work', () => {
  it('comes to the same tree through a script, a program in Python and an agent of the protocol', async () => {
    const [scripted, ...others] = await Promise.all([
      run('script', `script:${script}`),
      run('command', `command:${python?.program} ${COMMAND_AGENT} ${script}`),
      run('acp', `acp:${process.execPath} ${ACP_AGENT} ${SDK} ${script}`),
    ])
    expect(scripted).toMatchObject({
      verdict: 'accepted',
      files: expect.arrayContaining(['src/mean.js', 'src/spread.js']),
    })
    // Two rounds each of TASK-001's coder and of TASK-002's tester.
    expect(scripted.rounds).toHaveLength(6)
    for (const other of others) expect(other).toEqual(scripted)
  }, 300_000)
})
