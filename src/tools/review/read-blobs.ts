import type { Git } from '../git/git.js'
import { type GitCall, runGit } from '../git/run-git.js'

/** Bytes of one text, and of all together, that are read. */
const MOST_BYTES = 2_000_000
const MOST_TOTAL = 1024 ** 3

/**
 * The texts of blobs, by the names they were asked for ('COMMIT:path'). What is not there, no text or too large is not in the map. Names with line
 * ends are passed over.
 */
export async function readBlobs(git: Git, call: GitCall, names: readonly string[]): Promise<Map<string, string>> {
  const asked = [...new Set(names)].filter((name) => !/[\n\r]/.test(name))
  if (asked.length === 0) return new Map()
  const chunks: Buffer[] = []
  await runGit(git, {
    ...call,
    args: ['cat-file', '--batch'],
    stdin: `${asked.join('\n')}\n`,
    onOutput: (chunk, stream) => {
      if (stream === 'stdout') chunks.push(Buffer.from(chunk))
    },
    limits: { outputBytes: MOST_TOTAL },
  })
  return readBatch(Buffer.concat(chunks), asked)
}

/** `HASH blob SIZE`, the bytes, a line feed; or `NAME missing`. In the order asked. */
function readBatch(output: Buffer, asked: readonly string[]): Map<string, string> {
  const texts = new Map<string, string>()
  let at = 0
  for (const name of asked) {
    const end = output.indexOf(10, at)
    if (end === -1) break
    const head = output.subarray(at, end).toString('utf8')
    at = end + 1
    const size = /^[0-9a-f]+ (\w+) (\d+)$/.exec(head)
    if (size === null) continue
    const bytes = output.subarray(at, at + Number(size[2]))
    at += Number(size[2]) + 1
    if (size[1] === 'blob' && bytes.length <= MOST_BYTES && !bytes.includes(0)) texts.set(name, bytes.toString('utf8'))
  }
  return texts
}
