import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freshFolder, modes, shell } from './orders.js'

describe.each(modes.filter((each) => each.mode.startsWith('in the sandbox')))('$mode', ({ isThere, run }) => {
  it.skipIf(!isThere)(
    'a further writable folder can be written, also within a readable one, which cannot',
    async () => {
      const cwd = freshFolder()
      const other = freshFolder()
      const inner = join(cwd, 'locked/open')
      mkdirSync(inner, { recursive: true })
      const script = `echo x > '${other}/a'; echo x > locked/open/b; echo x > locked/c`
      const outcome = await run(shell(script, { cwd, readable: [join(cwd, 'locked')], writable: [other, inner] }))
      expect(outcome.refused).toEqual(['write_outside'])
      expect([readdirSync(other), readdirSync(inner), readdirSync(join(cwd, 'locked'))]).toEqual([
        ['a'],
        ['b'],
        ['open'],
      ])
    },
  )

  it.each(['/', '/etc', '/tmp', '/usr/lib'])('%s is never made writable', async (folder) => {
    await expect(run(shell('true', { writable: [folder] }))).rejects.toMatchObject({ type: 'Contract.Violated' })
  })
})
