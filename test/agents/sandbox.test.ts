import { existsSync, writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AskSetup } from '../../src/agents/ask-call.js'
import type { Workspace } from '../../src/contracts/agent.js'
import { aDoor, asking, houseAgent, python, scriptAgent } from '../support/agent-door.js'
import { aRun, freshFolder, git, hasSandbox, put, type Run } from '../support/git-repository.js'

let run: Run
let workspace: Workspace
let door: AskSetup
let steps = 0

describe.skipIf(python === null || !hasSandbox)('an agent in the sandbox', () => {
  beforeAll(async () => {
    run = await aRun({ 'given.txt': 'old\n' })
    workspace = { repository: run.repository, commit: run.base, protected: [] }
    door = aDoor({}, run)
    await houseAgent(door)
  })

  const behave = async (how: string, words: string) => {
    const reply = await asking(door, {
      role: 'coder',
      step: `s${(steps += 1)}`,
      workspace,
      input: { behave: how, words },
    })
    return { ...(reply.extract as { n: number; words: string }), reply }
  }

  it('changes files of its worktree, and they are its result', async () => {
    const { reply } = await behave('edit', 'made')
    expect(reply).toMatchObject({ changes: [{ action: 'create', path: 'made.txt' }], is_sandboxed: true })
    expect(git(run.repository.url, 'show', `${reply.commit}:made.txt`)).toBe('made')
  })

  it.each([
    ['the state home', () => join(door.home, 'written')],
    ['the run repository', () => join(run.repository.url, 'written')],
    ['the mirror its worktree borrows from', () => join(run.mirror.folder, 'objects', 'written')],
    ['the source repository', () => join(run.source, 'written')],
    ['another folder of the machine', () => join(freshFolder(), 'written')],
    ['the system', () => '/usr/written'],
  ])('writes nothing into %s', async (_, path) => {
    await behave('write outside', path())
    expect(existsSync(path())).toBe(false)
  })

  it.each([
    ['definitions of agents', () => join(door.home, 'agents', 'house.json')],
    ['the source repository', () => join(run.source, 'given.txt')],
    ['the environment of the worker', () => `/proc/${process.pid}/environ`],
    ['passwords of the machine', () => '/etc/shadow'],
  ])('does not see %s', async (_, path) => {
    expect(await behave('read', path())).toMatchObject({ n: 0 })
  })

  it('does not follow a link of the repository out of it', async () => {
    const secret = join(freshFolder(), 'secret.txt')
    writeFileSync(secret, 'not for agents')
    const linked = await aRun({ link: { link: secret } })
    const reply = await asking(aDoor({ home: door.home }, linked), {
      role: 'coder',
      step: 'link',
      workspace: { repository: linked.repository, commit: linked.base, protected: [] },
      input: { behave: 'read', words: 'link' },
    })
    expect(reply.extract).toMatchObject({ n: 0 })
  })

  it('finds no address of this machine that leads to a server of it', async () => {
    const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
    for (const { address } of own.filter(({ family }) => family === 'IPv4'))
      expect((await behave('dial', `${address}:22`)).words).toContain('unreachable')
  })
})

it('what hooks a repository brings are run by nobody', async () => {
  const mark = join(freshFolder(), 'ran')
  const hostile = await aRun({
    'given.txt': 'old\n',
    '.githooks/pre-commit': { text: `#!/bin/sh\ntouch ${mark}\n`, mode: 0o755 },
  })
  put(join(hostile.source, '.git'), { 'hooks/post-checkout': { text: `#!/bin/sh\ntouch ${mark}\n`, mode: 0o755 } })
  const inside = aDoor({}, hostile)
  await scriptAgent(inside, [
    { role: 'coder', answer: { n: 1, words: '' }, edits: [{ path: 'given.txt', content: 'new\n' }] },
  ])
  const at = { repository: hostile.repository, commit: hostile.base, protected: [] }
  const reply = await asking(inside, { role: 'coder', agent: 'script', step: 'hooks', workspace: at })
  expect(reply.changed_files).toBe(1)
  expect(existsSync(mark)).toBe(false)
})
