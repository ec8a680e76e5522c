import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Every entry of a folder with its size and the time of its inode's last change, which no program can set. */
export function listing(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    const { size, ctimeMs, mode } = lstatSync(path)
    return [`${path} ${size} ${ctimeMs} ${mode}`, ...(entry.isDirectory() ? listing(path) : [])]
  })
}
