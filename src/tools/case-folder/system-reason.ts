/** What the operating system said, in words; errors that are not its own are rethrown. */
export function systemReason(error: unknown): { code: string; reason: string } {
  const code = error instanceof Error && 'code' in error ? String(error.code) : null
  if (code === null) throw error
  return { code, reason: `${REASONS[code] ?? 'the system refused'} (${code})` }
}

const REASONS: Record<string, string> = {
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  ELOOP: 'it is a link that leads in circles',
  EEXIST: 'there is something else by this name',
  ENOTDIR: 'part of the path is not a folder',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'the name is too long',
  ENXIO: 'it is a socket or a pipe',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  ENOENT: 'there is nothing by this name',
}
