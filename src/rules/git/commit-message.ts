import { plainText } from '../cli-progress.js'

/** Text of an agent or a person as a commit message: nothing a terminal obeys, no zero bytes, bounded, never empty. */
export function commitMessage(text: string): string {
  const lines = plainText(text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')).slice(0, longest).split('\n')
  const message = lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trim()
  return `${message === '' ? 'no message' : message}\n`
}

const longest = 10_000
