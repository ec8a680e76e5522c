/** Bytes kept of each end of a stream; what lies between is counted and dropped. */
export const maxKeptBytes = 256 * 1024

export interface BoundedOutput {
  push(chunk: Buffer): void
  /** Bytes that came, whether kept or not. */
  bytes(): number
  /** What was kept, as UTF-8 with replacement characters; a line of its own says how much is missing in between. */
  text(): string
}

/** Takes a stream of any length in bounded memory: its first and its last `keptBytes`. */
export function boundedOutput(keptBytes: number = maxKeptBytes): BoundedOutput {
  const head: Buffer[] = []
  let headBytes = 0
  let tail: Buffer[] = []
  let tailBytes = 0
  let total = 0

  function push(chunk: Buffer): void {
    total += chunk.length
    const forHead = chunk.subarray(0, keptBytes - headBytes)
    if (forHead.length > 0) head.push(forHead)
    headBytes += forHead.length
    if (forHead.length < chunk.length) pushTail(chunk.subarray(forHead.length))
  }

  function pushTail(chunk: Buffer): void {
    tail.push(chunk)
    tailBytes += chunk.length
    // Joining only when twice the limit has gathered keeps a flood of small chunks linear.
    if (tailBytes > 2 * keptBytes) {
      tail = [Buffer.from(lastBytes(tail, keptBytes))]
      tailBytes = keptBytes
    }
  }

  function text(): string {
    const end = lastBytes(tail, keptBytes)
    const dropped = total - headBytes - end.length
    const start = Buffer.concat(head)
    if (dropped === 0) return Buffer.concat([start, end]).toString('utf8')
    return `${start.toString('utf8')}\n[${dropped} bytes left out]\n${end.toString('utf8')}`
  }

  return { push, bytes: () => total, text }
}

function lastBytes(chunks: readonly Buffer[], count: number): Buffer {
  const joined = Buffer.concat(chunks)
  return joined.subarray(Math.max(0, joined.length - count))
}
