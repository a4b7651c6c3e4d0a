// An operator of Widgets, in a process of its own: each gets a ConfigMap and one status. Tells the bench when all of them
// are ready, and what it has sent.

import { createClient, type Transport } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { operator, run } from '@homeostat/operator'
import { z } from 'zod'

export interface WidgetsDone {
  /** From the start of the operator until it has nothing to do. */
  readonly ms: number
  readonly reads: number
  readonly writes: number
}

const widget = operator(
  'bench.homeostat.dev/v1/Widget',
  {
    spec: z.object({ count: z.int(), message: z.string().max(256), pad: z.string() }),
    status: z.object({ phase: z.string().optional() }),
  },
  ({ spec, child }) => ({
    children: [child('v1', 'ConfigMap', { data: { message: spec.message, count: String(spec.count) } })],
    status: { phase: 'Made' },
  }),
)

const counts = { reads: 0, writes: 0 }

function counting(transport: Transport): Transport {
  return {
    send(request) {
      counts[request.method === 'GET' ? 'reads' : 'writes']++
      return transport.send(request)
    },
    close: () => transport.close(),
  }
}

const [url = '', mode = ''] = process.argv.slice(2)
const client = createClient(counting(nodeTransport({ url })))
process.on('disconnect', () => process.exit(0))
if (mode === 'define') {
  const { installDefinition } = await import('@homeostat/operator')
  await installDefinition(client, widget.definition)
  client.close()
} else {
  const began = performance.now()
  counts.reads = 0
  counts.writes = 0
  const running = run(widget, { client, name: 'widgets', install: false })
  await running.ready
  await running.idle()
  process.send?.({ ms: performance.now() - began, ...counts } satisfies WidgetsDone)
  await running.close()
  client.close()
}
process.disconnect?.()
