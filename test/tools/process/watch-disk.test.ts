import { describe, expect, it } from 'vitest'
import { megabyte, modes, node } from './orders.js'

const limits = { diskBytes: 24 * megabyte, timeMs: 60_000, fileBytes: 16 * megabyte }
/** Writes 2 MB at a time into files of at most 8 MB, 96 MB in all: bounded by construction. */
const write = (body: string) => `
  const mb = Buffer.alloc(2 << 20, 1)
  const step = (at) => { if (at === 48) return; ${body}; setTimeout(step, 30, at + 1) }
  setTimeout(step, 600, 0)
  setTimeout(() => {}, 40_000)`

describe.each(modes)('a program run $mode', ({ isThere, run }) => {
  describe.skipIf(!isThere).concurrent('that may write 24 MB in all', () => {
    it.each([
      ['many files', "fs.appendFileSync('f' + (at >> 2), mb)"],
      [
        'a folder that it closes',
        "fs.mkdirSync('d', { recursive: true }); fs.chmodSync('d', 0o700); fs.appendFileSync('d/f' + (at >> 2), mb); fs.chmodSync('d', 0)",
      ],
      [
        'files that it deletes and holds open',
        "const file = fs.openSync('f', 'w'); fs.unlinkSync('f'); fs.writeSync(file, mb)",
      ],
    ])(
      'is stopped when it writes more: %s',
      async (_, body) => {
        const outcome = await run(node(write(body), { limits }))
        expect(outcome).toMatchObject({ stopped: 'disk_space', signal: 'SIGKILL' })
      },
      120_000,
    )

    it.each([
      ['the same 8 MB again and again', "fs.writeFileSync('f' + (at % 4), mb)"],
      ['less', "if (at < 10) fs.appendFileSync('f' + (at >> 2), mb)"],
    ])(
      'goes on when it writes %s',
      async (_, body) => {
        const outcome = await run(node(write(body).replace('40_000', '2_700'), { limits }))
        expect(outcome).toMatchObject({ stopped: null, exitCode: 0 })
      },
      120_000,
    )
  })
})
