import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  path: string
  remove(): void
}

/** A disk of 256 KiB, or why there is none: mounting takes root. */
export function smallDisk(): SmallDisk | string {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'mounting a small disk takes root on Linux'
  const path = mkdtempSync(join(realpathSync(tmpdir()), 'gauntlet-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', path], { stdio: 'pipe' })
  } catch (error) {
    rmSync(path, { recursive: true })
    return `mounting is not allowed here: ${error instanceof Error ? error.message.split('\n')[0] : 'no reason given'}`
  }
  const remove = () => {
    execFileSync('umount', [path])
    rmSync(path, { recursive: true })
  }
  return { path, remove }
}
