// Changes items at a steady rate, whatever the answers do, in a process of its own. Its arguments are the port, how many
// items there are, how many changes to make, and how many of them in a second.

import { Agent, request } from 'node:http'
import { COLLECTION } from '../items/item.ts'
import { monotonicUs } from './monotonic.ts'

const [port = 0, items = 1, changes = 0, rate = 1] = process.argv.slice(2).map(Number)
const agent = new Agent({ keepAlive: true, maxSockets: 64 })
const startedAt = performance.now()
let sent = 0
let answered = 0

const timer = setInterval(() => {
  const due = Math.min(changes, Math.floor(((performance.now() - startedAt) * rate) / 1000))
  while (sent < due) change(sent++)
  if (sent === changes) clearInterval(timer)
}, 1)
process.on('disconnect', () => process.exit(0))

function change(number: number): void {
  // A step that has no divisor in common with the number of items visits all of them.
  const name = `item-${String((number * 7919) % items).padStart(8, '0')}`
  const headers = { 'content-type': 'application/merge-patch+json' }
  const sending = request({ host: '127.0.0.1', port, method: 'PATCH', path: `${COLLECTION}/${name}`, headers, agent })
  sending.on('response', (response) => {
    if (response.statusCode !== 200) throw new Error(`PATCH ${name}: ${response.statusCode}`)
    response.resume()
    response.on('end', () => {
      answered++
      if (answered < changes) return
      agent.destroy()
      process.send?.('done')
    })
  })
  sending.end(JSON.stringify({ spec: { release: String(monotonicUs()) } }))
}
