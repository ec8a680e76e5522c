export interface FittedPath {
  /** Null when the name cannot travel. */
  path: string | null
  /** For people, as a JSON string: a line break in it is seen as such. */
  shown: string
}

/**
 * A file's name in git is any bytes; one that travels through histories, prompts and terminals is UTF-8 of at most 300 characters
 * without control characters or backslashes, as the contract `RelativePath` says.
 */
export function fitPath(name: Uint8Array): FittedPath {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(name)
  const isWhole = !text.includes('\ufffd') && text !== '' && text.length <= 300
  const isFit = isWhole && !/[\p{Cc}\\]/u.test(text) && !text.startsWith('/') && !text.split('/').includes('..')
  return { path: isFit ? text : null, shown: JSON.stringify(text.slice(0, 120)) }
}
