import { lookInside } from './look-inside.js'

/** The text of a file in a folder, never by a link out of it; null when it is not there, no text, or larger than 2 MB. */
export async function readTextInside(folder: string, path: string): Promise<string | null> {
  const found = await lookInside(folder, path)
  return 'text' in found ? found.text : null
}
