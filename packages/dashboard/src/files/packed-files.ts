// The built page as one file: a line of JSON that names the files, then their bytes, compressed by brotli where that helps. One
// file is copied by every build as it is. scripts of the page write it; the site reads it whole with the first request.

import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'

export interface PackedFile {
  readonly type: string
  readonly body: Buffer
  /** Whether `body` is compressed by brotli. */
  readonly compressed: boolean
}

interface IndexEntry {
  readonly name: string
  readonly size: number
  readonly compressed: boolean
}

export function packFiles(files: ReadonlyMap<string, Buffer>): Buffer {
  const index: IndexEntry[] = []
  const bodies: Buffer[] = []
  for (const name of [...files.keys()].sort()) {
    const plain = files.get(name) ?? Buffer.alloc(0)
    const small = brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } })
    const compressed = small.length < plain.length
    const body = compressed ? small : plain
    index.push({ name, size: body.length, compressed })
    bodies.push(body)
  }
  return Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...bodies])
}

/** Throws for bytes that `packFiles` has not written. */
export function unpackFiles(pack: Buffer): ReadonlyMap<string, PackedFile> {
  const end = pack.indexOf(0x0a)
  const index = JSON.parse(pack.toString('utf8', 0, end)) as readonly IndexEntry[]
  const files = new Map<string, PackedFile>()
  let at = end + 1
  for (const { name, size, compressed } of index) {
    files.set(name, { type: typeOf(name), body: pack.subarray(at, at + size), compressed })
    at += size
  }
  if (at !== pack.length) throw new Error(`the built page has ${pack.length} bytes instead of ${at}`)
  return files
}

export function plainBody({ body, compressed }: PackedFile): Buffer {
  return compressed ? brotliDecompressSync(body) : body
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json',
  woff2: 'font/woff2',
}

function typeOf(name: string): string {
  return TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
}
