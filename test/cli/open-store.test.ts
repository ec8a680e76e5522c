import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onOwnDisk, openStore } from '../../src/cli/open-store.js'
import { Failure } from '../../src/contracts/failures.js'

let scratch = ''

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'gauntlet-open-store-'))
})

afterAll(async () => {
  await rm(scratch, { recursive: true, force: true })
})

describe('a store that the person has to mend is a mistake of one line that names it', () => {
  it.each([
    ['a file', 'file', 'there is something else by this name (EEXIST)'],
    ['below a file', 'file/store', 'part of the path is not a folder (ENOTDIR)'],
  ])('%s', async (_, name, reason) => {
    await writeFile(join(scratch, 'file'), '')
    const path = join(scratch, name)
    await expect(openStore(path)).rejects.toEqual(
      new Failure(
        'Contract.Violated',
        `store: expected a folder that this user may make and write, got ${JSON.stringify(path)}: ${reason}`,
      ),
    )
  })

  it('a full disk', async () => {
    const full = new Failure('Tool.Failed', 'artifact store: the disk is full')
    await expect(onOwnDisk(() => Promise.reject(full))).rejects.toMatchObject({
      type: 'Contract.Violated',
      message: 'store: expected some free space in its folder, but artifact store: the disk is full',
    })
  })

  it('a failure of another kind stays what it is', async () => {
    const missing = new Failure('Tool.Missing', 'bwrap')
    await expect(onOwnDisk(() => Promise.reject(missing))).rejects.toBe(missing)
  })
})
