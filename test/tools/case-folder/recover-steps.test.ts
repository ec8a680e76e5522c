import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readEarlierRun } from '../../../src/tools/case-folder/earlier-run.js'
import { sha256 } from '../../../src/tools/case-folder/read-case-folder.js'
import { recoverSteps } from '../../../src/tools/case-folder/recover-steps.js'
import { memoryStore } from '../../support/memory-store.js'

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gauntlet-recover-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

const ANALYSIS = { degraded: false, dialect: null, failing_pass: null, crash_type: 'crash', keywords: [], note: '' }
const REPRODUCE = {
  reproduced: true,
  match_result: 'exact_match',
  runs: 3,
  reproduced_runs: 3,
  tool_version: null,
  exit_code: null,
  signature: null,
  is_sandboxed: true,
  note: '',
}

describe('recoverSteps', () => {
  it('takes over a completed step whose files are whole, and puts them into the store', async () => {
    await leaveBehind({ root_cause_analysis: step(ANALYSIS, 'analysis.json', '{"a":1}') })
    const { recovered, store } = await recover()
    expect(recovered.root_cause_analysis).toMatchObject({ crash_type: 'crash' })
    const [file] = recovered.root_cause_analysis?.artifacts ?? []
    expect((await store.get(file!)).toString()).toBe('{"a":1}')
  })

  it.each([
    ['is not completed', { ...step(ANALYSIS, 'analysis.json', 'x'), completed: false }],
    ['does not fit its contract', step({ ...ANALYSIS, keywords: 5 }, 'analysis.json', 'x')],
    ['has a file of other content', step(ANALYSIS, 'analysis.json', 'x', 'y')],
    ['has a file of other length', step(ANALYSIS, 'analysis.json', 'x', 'xx')],
    ['has lost a file', step(ANALYSIS, 'gone.json', 'x', null)],
  ])('does anew a step that %s', async (_, entry) => {
    await leaveBehind({ root_cause_analysis: entry, reproduce: step(REPRODUCE, 'reproduce.log', 'log') })
    expect(Object.keys((await recover()).recovered)).toEqual(['reproduce'])
  })
})

interface Left {
  completed: boolean
  artifacts: object[]
  /** What really lies in the folder; null for nothing. */
  file: { name: string; content: string | null }
}

function step(extract: object, name: string, content: string, found: string | null = content): Left {
  const artifact = { name, sha256: sha256(Buffer.from(content)), size: content.length, media_type: 'text/plain' }
  return { ...extract, completed: true, artifacts: [artifact], file: { name, content: found } }
}

async function leaveBehind(steps: Record<string, Left>): Promise<void> {
  await writeFile(join(folder, 'status.json'), JSON.stringify({ steps }))
  for (const { file } of Object.values(steps)) {
    if (file.content !== null) await writeFile(join(folder, file.name), file.content)
  }
}

async function recover() {
  const store = memoryStore()
  const earlier = await readEarlierRun(folder)
  if (earlier === null) throw new Error('status.json was not found')
  return { recovered: await recoverSteps(folder, earlier, store), store }
}
