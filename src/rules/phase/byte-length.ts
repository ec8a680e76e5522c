/** Of UTF-8; a lone surrogate is written as the three bytes of the replacement character. */
export function byteLength(text: string): number {
  if (!/[^\0-\x7f]/.test(text)) return text.length
  let bytes = 0
  for (const letter of text) bytes += bytesOf(letter.codePointAt(0) ?? 0)
  return bytes
}

function bytesOf(code: number): number {
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}

/** The beginning of a text, at most so many bytes of UTF-8; what was cut shows as '…'. */
export function cutToBytes(text: string, maxBytes: number): string {
  if (byteLength(text) <= maxBytes) return text
  let bytes = 3
  let end = 0
  for (const letter of text) {
    bytes += bytesOf(letter.codePointAt(0) ?? 0)
    if (bytes > maxBytes) break
    end += letter.length
  }
  return `${text.slice(0, end)}…`
}
