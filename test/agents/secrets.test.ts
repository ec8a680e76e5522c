import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AskSetup } from '../../src/agents/ask-call.js'
import { openLocalStore } from '../../src/tools/artifacts/local-store.js'
import { aDoor, asking, houseAgent, python } from '../support/agent-door.js'
import { freshFolder } from '../support/git-repository.js'

const SECRET = 'hk-Planted+Secret/0123456789'
const SPELLINGS = [SECRET, encodeURIComponent(SECRET), Buffer.from(SECRET).toString('base64').slice(0, 32)]

/** Every byte of every file below a folder. */
function everything(folder: string): string {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path))
  return paths
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n')
}

async function aDoorWithAKey(): Promise<AskSetup & { storeFolder: string }> {
  const storeFolder = freshFolder()
  const env = { PATH: process.env['PATH'], HOUSE_KEY: SECRET, OTHER_TOKEN: 'planted-as-well' }
  const door = { ...aDoor({ env, store: await openLocalStore(storeFolder) }), storeFolder }
  await houseAgent(door, { env: ['HOUSE_KEY'] })
  return door
}

describe.skipIf(python === null)('a key that an agent is given', () => {
  it.each([
    ['repeats it in an answer that fits', { input: { behave: 'secrets', words: '' }, complaints: ['again'] }],
    ['repeats it in an answer that does not', { input: { behave: 'secrets', words: '' } }],
    ['fails with it on its lips', { input: { behave: 'secret failure', words: '' } }],
    ['prints its whole environment', { input: { behave: 'environment', words: '' } }],
  ])('is in no artifact, transcript or failure when the agent %s', async (_, order) => {
    const door = await aDoorWithAKey()
    const end: unknown = await asking(door, order).catch((error: unknown) => {
      const { type, message, details, stack, cause } = error as Record<string, unknown>
      return { type, message, details, stack, cause }
    })
    const all = `${JSON.stringify(end)}\n${everything(door.storeFolder)}`
    for (const spelling of SPELLINGS) expect(all).not.toContain(spelling)
    expect(all).toContain('[secret HOUSE_KEY]')
  })

  it('can be seen by the agent itself, or the tests above would prove nothing', async () => {
    const door = aDoor({ env: { PATH: process.env['PATH'], HARMLESS: 'plain-words' } })
    await houseAgent(door, { env: ['HARMLESS'] })
    const open = await asking(
      { ...door, env: { PATH: process.env['PATH'], HARMLESS: 'short' } },
      { input: { behave: 'environment', words: '' } },
    )
    expect((open.extract as { words: string }).words).toContain('"HARMLESS": "short"')
  })
})
