// Compresses large responses at the cheapest level. Watches are never compressed: their events would wait in the
// compressor.

import type { Writable } from 'node:stream'
import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'
import type { Transport } from './transport.ts'

/** Larger responses are compressed if the client accepts gzip, as in Kubernetes. */
export const GZIP_ABOVE = 128 << 10

export const GZIP_HEADERS = ['Content-Encoding', 'gzip', 'Vary', 'Accept-Encoding']

const OPTIONS = { level: 1, chunkSize: 64 << 10 }

export function acceptsGzip(acceptEncoding: string | string[] | undefined): boolean {
  if (acceptEncoding === undefined) return false
  const clauses = String(acceptEncoding)
    .split(',')
    .map((clause) => clause.replaceAll(' ', '').toLowerCase())
  return clauses.some((clause) => clause === 'gzip' || (clause.startsWith('gzip;') && !/;q=0(\.0*)?$/.test(clause)))
}

/** Runs in libuv's thread pool. */
export const gzipBytes: (body: Buffer) => Promise<Buffer> = (body) => compress(body, OPTIONS)

const compress = promisify<Buffer, typeof OPTIONS, Buffer>(gzip)

/** A stream that compresses into the response, no faster than the client reads. */
export function compressorFor(transport: Pick<Transport, 'out' | 'cut'>): Writable {
  const { out } = transport
  const compressor = createGzip(OPTIONS)
  compressor.on('error', () => transport.cut())
  out.once('close', () => compressor.destroy())
  compressor.pipe(out)
  return compressor
}
