// Reads a JSON document over https, within a time and a size: the discovery document and the keys of an issuer. It follows no
// redirects, so that an issuer's documents come from where the configuration says.

import type { IncomingMessage } from 'node:http'

export interface HttpsJsonOptions {
  /** PEM of the authorities to trust. Default: those that Node trusts. */
  readonly ca?: string | undefined
  readonly signal: AbortSignal
}

const TIMEOUT_MS = 10_000
const MAX_BYTES = 1 << 20

/** Rejects with an Error that names the URL. */
export async function httpsJson(url: string, { ca, signal }: HttpsJsonOptions): Promise<unknown> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
  try {
    if (new URL(url).protocol !== 'https:') throw new Error('it is not an https URL')
    return JSON.parse(await read(url, ca, limit))
  } catch (cause) {
    const reason =
      limit.aborted && !signal.aborted ? `no answer within ${TIMEOUT_MS / 1000} s` : (cause as Error).message
    throw new Error(`${url}: ${reason}`, { cause })
  }
}

function read(url: string, ca: string | undefined, signal: AbortSignal): Promise<string> {
  const { get } = process.getBuiltinModule('node:https')
  return new Promise((resolve, reject) => {
    const options = { ...(ca !== undefined && { ca }), signal, agent: false, headers: { accept: 'application/json' } }
    get(url, options, (response) => {
      if (response.statusCode === 200) collect(response).then(resolve, reject)
      else {
        response.destroy()
        reject(new Error(`the answer has the status ${response.statusCode}`))
      }
    }).on('error', reject)
  })
}

async function collect(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    // Leaving the loop destroys the response.
    if (bytes > MAX_BYTES) throw new Error(`the answer is longer than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
