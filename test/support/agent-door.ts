import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { AskSetup } from '../../src/agents/ask-call.js'
import { ask } from '../../src/agents/ask.js'
import { defineRole } from '../../src/agents/role.js'
import type { AgentDefinition } from '../../src/contracts/agent-definition.js'
import type { AgentOrder, AgentReply } from '../../src/contracts/agent.js'
import { writeDefinition } from '../../src/tools/agent-definitions.js'
import { findProgram } from '../../src/tools/find-program.js'
import { createRunner } from '../../src/tools/process/runner.js'
import { freshFolder, hasSandbox, runner, type Run } from './git-repository.js'
import { memoryStore } from './memory-store.js'

const Input = z.object({ behave: z.string(), words: z.string() })
const Answer = z.object({ n: z.int(), words: z.string() })

function testRole(name: 'planner' | 'coder' | 'researcher', abilities: 'none' | 'read' | 'run') {
  return defineRole({
    name,
    abilities,
    input: Input,
    answer: Answer,
    extract: ({ n, words }) => ({ n, words: words.slice(0, 4_000) }),
    check: ({ n }) => (n === 13 ? ['13 is unlucky: take another number'] : []),
    prompt: async ({ behave }, look) => `behave: ${behave}; given: ${(await look.file('given.txt')) ?? 'nothing'}`,
  })
}

/** Three roles for tests: one that only answers, one that reads, one that edits and runs. */
export const TEST_ROSTER = {
  planner: testRole('planner', 'none'),
  researcher: testRole('researcher', 'read'),
  coder: testRole('coder', 'run'),
}

/** The interpreter itself, not a program that chooses one; null where there is none. */
export const python = findPython()

function findPython(): { program: string; readable: string[] } | null {
  const found = findProgram('python3', process.env)
  if (found === null) return null
  const words = execFileSync(found, ['-c', 'import sys; print(sys.executable); print(sys.base_prefix)'], {
    encoding: 'utf8',
  })
  const [program = found, prefix = '/usr'] = words.trim().split('\n')
  return { program, readable: prefix === '/usr' ? [] : [prefix] }
}

const HOUSE_AGENT = fileURLToPath(new URL('../fixtures/agents/house-agent.py', import.meta.url))

export const AT = '2026-01-02T03:04:05.678Z'

/** A door with a home of its own. Without a run there is no repository. */
export function aDoor(overrides: Partial<AskSetup> = {}, run?: Run): AskSetup {
  const home = overrides.home ?? freshFolder()
  return {
    home,
    store: memoryStore(),
    scratchRoot: join(home, 'scratch'),
    run: runner,
    isSandboxed: hasSandbox,
    env: { PATH: process.env['PATH'], HOME: '/nobody', LANG: 'C.UTF-8' },
    temporalAddress: null,
    git: () => (run === undefined ? Promise.reject(new Error('no git here')) : Promise.resolve(run.git)),
    prepare: () => Promise.resolve({ readable: [] }),
    roster: TEST_ROSTER,
    ...overrides,
  }
}

export const bareRunner = createRunner({ sandbox: 'none' })

export async function houseAgent(
  door: AskSetup,
  rest: Partial<Extract<AgentDefinition, { kind: 'command' }>> = {},
): Promise<string> {
  const argv: [string, ...string[]] = [python?.program ?? '/usr/bin/python3', HOUSE_AGENT]
  const readable = [HOUSE_AGENT, ...(python?.readable ?? [])]
  const definition: AgentDefinition = { kind: 'command', argv, env: [], readable, network: false, ...rest }
  await writeDefinition(door.home, 'house', definition)
  return 'house'
}

/** A script in the door's home; returns the agent's name. */
export async function scriptAgent(door: AskSetup, answers: readonly unknown[], name = 'script'): Promise<string> {
  const content = JSON.stringify({ answers })
  const file = join(door.home, `${name}.json`)
  writeFileSync(file, content)
  const sha256 = createHash('sha256').update(content).digest('hex')
  await writeDefinition(door.home, name, { kind: 'script', file, sha256 })
  return name
}

export function anOrder(overrides: Partial<AgentOrder> = {}): AgentOrder {
  return {
    run_id: 'r1',
    task_id: 'TASK-001',
    step: 'TASK-001-develop',
    round: 1,
    attempt: 1,
    role: 'planner',
    agent: 'house',
    input: { behave: 'answer', words: '' },
    complaints: [],
    workspace: null,
    continue_from: null,
    limit_seconds: 20,
    allowance: { tokens: null, cost: null },
    allow_unsandboxed: true,
    ...overrides,
  }
}

export async function asking(
  door: AskSetup,
  overrides: Partial<AgentOrder> = {},
  signal = new AbortController().signal,
): Promise<AgentReply> {
  return await ask(door, anOrder(overrides), { signal, at: AT })
}

/** Lines of a transcript. */
export async function transcriptOf(door: AskSetup, artifact: unknown): Promise<Record<string, unknown>[]> {
  const bytes = await door.store.get(artifact as AgentReply['transcript'])
  return bytes
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}
