import { crc32 } from 'node:zlib'

/** A zip archive of these files, uncompressed: names to contents. */
export function storedZip(files: Readonly<Record<string, string>>): Buffer {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const data = Buffer.from(text)
    const shared = fields([20, 2], [0, 2], [0, 2], [0, 4], [crc32(data), 4], [data.length, 4], [data.length, 4])
    const lengths = fields([Buffer.byteLength(name), 2], [0, 2])
    const local = Buffer.concat([fields([0x04034b50, 4]), shared, lengths, Buffer.from(name), data])
    const tail = fields([0, 2], [0, 2], [0, 2], [0, 4], [offset, 4])
    central.push(Buffer.concat([fields([0x02014b50, 4], [20, 2]), shared, lengths, tail, Buffer.from(name)]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(central)
  const count = central.length
  const sizes = fields([0, 2], [0, 2], [count, 2], [count, 2], [directory.length, 4], [offset, 4], [0, 2])
  return Buffer.concat([...locals, directory, fields([0x06054b50, 4]), sizes])
}

/** Little-endian numbers, each with its width in bytes. */
function fields(...pairs: [value: number, width: number][]): Buffer {
  return Buffer.concat(
    pairs.map(([value, width]) => {
      const field = Buffer.alloc(width)
      field.writeUIntLE(value, 0, width)
      return field
    }),
  )
}
