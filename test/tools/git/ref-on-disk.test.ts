import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lookupRefs } from '../../../src/tools/git/publish-ref.js'
import { refOnDisk } from '../../../src/tools/git/ref-on-disk.js'
import { aGit, aRepository, freshFolder, git } from '../../support/git-repository.js'

const ref = 'refs/gauntlet/r1/develop/1'

/** A bare repository with a commit. */
function aBare(...init: string[]): { folder: string; commit: string } {
  const source = aRepository({ a: 'a' }, ...init)
  const folder = join(freshFolder(), 'bare.git')
  git(source, 'clone', '--quiet', '--bare', '.', folder)
  return { folder, commit: git(folder, 'rev-parse', 'main') }
}

describe('a ref of a repository on this machine', () => {
  it.each([[[]], [['--object-format=sha256']]])('is read as git has it, loose and packed (%j)', async (init) => {
    const { folder, commit } = aBare(...init)
    const read = () => refOnDisk({ url: folder }, ref)
    expect(await read()).toBeNull()
    git(folder, 'update-ref', ref, commit)
    expect(await read()).toBe(commit)
    git(folder, 'pack-refs', '--all', '--prune')
    expect(await read()).toBe(commit)
    expect(await refOnDisk({ url: `file://${folder}` }, ref)).toBe(commit)
    expect(await refOnDisk({ url: folder }, 'refs/gauntlet/r1/develop')).toBeNull()
    expect(await refOnDisk({ url: folder }, `${ref}/2`)).toBeNull()
    expect(await refOnDisk({ url: folder }, 'develop/1')).toBeNull()
    const other = git(folder, 'commit-tree', '-p', commit, '-m', 'x', `${commit}^{tree}`)
    git(folder, 'update-ref', ref, other)
    expect(await read()).toBe(other)
    git(folder, 'update-ref', '-d', ref)
    expect(await read()).toBeNull()
  })

  it('is left to git where it is more than a name of a commit', async () => {
    const { folder, commit } = aBare()
    git(folder, 'symbolic-ref', ref, 'refs/heads/main')
    expect(await refOnDisk({ url: folder }, ref)).toBeUndefined()
    const [found] = await lookupRefs(await aGit(), { url: folder }, [ref])
    expect(found).toEqual({ ref, commit })
  })

  it.each([
    ['is not there', (folder: string) => rmSync(folder, { recursive: true })],
    ['keeps its refs in tables', (folder: string) => mkdirSync(join(folder, 'reftable'))],
    ['is a linked worktree', (folder: string) => writeFileSync(join(folder, 'commondir'), '..\n')],
    ['has no refs', (folder: string) => rmSync(join(folder, 'refs'), { recursive: true })],
  ])('is left to git when the repository %s', async (_, change) => {
    const { folder, commit } = aBare()
    git(folder, 'update-ref', ref, commit)
    change(folder)
    expect(await refOnDisk({ url: folder }, ref)).toBeUndefined()
  })

  it('is left to git in a checkout, and elsewhere', async () => {
    expect(await refOnDisk({ url: aRepository({ a: 'a' }) }, ref)).toBeUndefined()
    expect(await refOnDisk({ url: 'https://example.org/x.git' }, ref)).toBeUndefined()
  })

  it('that leads in a circle is an error, not an absence', async () => {
    const { folder } = aBare()
    mkdirSync(join(folder, 'refs/gauntlet/r1/develop'), { recursive: true })
    symlinkSync('1', join(folder, ref))
    await expect(refOnDisk({ url: folder }, ref)).rejects.toMatchObject({ code: 'ELOOP' })
  })
})
