import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { forgetRun, registeredRun, registeredRuns, registerRun } from '../../src/cli/run-registry.js'

let home = ''

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'gauntlet-registry-'))
})

afterEach(async () => {
  await rm(home, { recursive: true, force: true })
})

const run = (key: string, folder = '/cases/a') => ({ workflow_id: `circt/${key}`, folder, store: '/store' })

describe('the registry of runs started on this host', () => {
  it('knows nothing at first', async () => {
    expect(await registeredRuns(home)).toEqual([])
    expect(await registeredRun(home, 'circt/a')).toBeNull()
  })

  it('remembers the folder of each run, the newest when a run is started again elsewhere', async () => {
    await registerRun(home, run('a'))
    await registerRun(home, run('a:b', '/cases/b'))
    await registerRun(home, run('a', '/cases/c'))
    expect(await registeredRun(home, 'circt/a')).toEqual(run('a', '/cases/c'))
    expect((await registeredRuns(home)).map(({ folder }) => folder).sort()).toEqual(['/cases/b', '/cases/c'])
  })

  it('forgets a run, once or twice', async () => {
    await registerRun(home, run('a'))
    await forgetRun(home, 'circt/a')
    await forgetRun(home, 'circt/a')
    expect(await registeredRuns(home)).toEqual([])
  })

  it('passes over a broken entry', async () => {
    await registerRun(home, run('a'))
    const [name] = await readdir(join(home, 'runs'))
    await writeFile(join(home, 'runs', name!), '{')
    expect(await registeredRuns(home)).toEqual([])
    expect(await registeredRun(home, 'circt/a')).toBeNull()
  })
})
