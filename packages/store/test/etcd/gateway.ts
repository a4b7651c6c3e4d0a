// Calls etcd through its JSON gateway: what sets up and looks after a cluster in tests. It shares no code with the client that
// is tested. The gateway is a client of its own member, with the certificate of that member.

import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'

export interface GatewayTls {
  readonly ca: string
  readonly cert: string
  readonly key: string
}

export interface GatewayCall {
  readonly url: string
  readonly tls?: GatewayTls | undefined
  readonly token?: string | undefined
  readonly timeoutMs?: number | undefined
}

/** Posts to a path such as `/v3/maintenance/status`; without a body it is a GET. Keys and values are base64, numbers texts. */
// biome-ignore lint/suspicious/noExplicitAny: answers have many shapes, and tests read what they know.
export function gateway(call: GatewayCall, path: string, body?: unknown): Promise<any> {
  const url = new URL(path, call.url)
  const send = url.protocol === 'https:' ? secureRequest : plainRequest
  const headers = call.token === undefined ? {} : { authorization: call.token }
  return new Promise((resolve, reject) => {
    const options = {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      timeout: call.timeoutMs ?? 10_000,
      agent: false,
    }
    const request = send(url, { ...options, ...call.tls }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part) => {
        text += part
      })
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 200) resolve(text === '' ? {} : JSON.parse(text))
        else reject(new Error(`${path}: ${response.statusCode} ${text.trim()}`))
      })
    })
    request.on('error', reject)
    request.on('timeout', () => request.destroy(new Error(`${path}: no answer`)))
    request.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
