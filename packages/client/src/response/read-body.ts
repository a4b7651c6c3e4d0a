// Reads a response to its end. The sender calls it for everything but watches.

import { parseJson } from '@homeostat/meta'
import type { TransportResponse } from '../api/transport.ts'

/** Below V8's maximum string length. A larger list must be read in pages. */
const MAX_BODY_BYTES = 400 * 1024 * 1024

export async function readText({ body }: TransportResponse, maxBytes = MAX_BODY_BYTES): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new Error(`the response is larger than ${maxBytes} bytes; ask for less at a time`)
    chunks.push(chunk)
  }
  return utf8.decode(joined(chunks, bytes))
}

export async function readJson(response: TransportResponse): Promise<unknown> {
  const text = await readText(response)
  try {
    return parseJson(text)
  } catch (cause) {
    throw new Error(`the server answered ${response.status} with something that is not JSON: ${excerpt(text)}`, {
      cause,
    })
  }
}

/** The start of a text for an error message, without HTML tags. */
export function excerpt(text: string, length = 200): string {
  const words = text
    .slice(0, 20 * length)
    .replace(/<(style|script|head)\b.*?<\/\1>|<[^>]*>/gis, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return words.length > length ? `${words.slice(0, length)}...` : words
}

export function joined(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  const [first] = chunks
  if (first !== undefined && chunks.length === 1) return first
  const all = new Uint8Array(bytes)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.byteLength
  }
  return all
}

const utf8 = new TextDecoder()
