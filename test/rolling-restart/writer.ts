// A client that writes behind a balancer while servers restart, and counts what fails.

import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { expect, onTestFinished } from 'vitest'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'

/** Creates and patches one object after the other over one connection that is kept, and never tries a request again. */
export function write(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const failures: string[] = []
  const revisions: string[] = []
  const sockets = new Set<unknown>()
  let going = true
  const send = async (method: string, path: string, body: object) => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const sent = request(url + path, { method, agent, headers: { 'content-type': type } })
    sent.once('socket', (socket) => sockets.add(socket))
    sent.end(JSON.stringify(body))
    const [response] = await once(sent, 'response')
    const text = (await response.setEncoding('utf8').toArray()).join('')
    if (response.statusCode >= 300) throw new Error(text)
    revisions.push(JSON.parse(text).metadata.resourceVersion)
  }
  const loop = async () => {
    for (let number = 0; going; number++) {
      const name = `map-${number}`
      const metadata = { name, labels: { by: 'writer' } }
      try {
        await send('POST', CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata })
        await send('PATCH', `${CONFIG_MAPS}/${name}`, { data: { number: String(number) } })
      } catch (error) {
        failures.push(String(error))
      }
    }
  }
  const ended = loop()
  return {
    failures,
    revisions,
    get connections() {
      return sockets.size
    },
    /** Waits until so many more writes have ended. */
    async writes(count: number) {
      const before = revisions.length + failures.length
      await expect.poll(() => revisions.length + failures.length).toBeGreaterThanOrEqual(before + count)
    },
    async end() {
      going = false
      await ended
    },
  }
}
