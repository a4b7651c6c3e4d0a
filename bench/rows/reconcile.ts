// An operator against the server: 5,000 Widgets that get a ConfigMap and a status each, then the same operator again on
// what it left.

import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { atMostCount, type Finding } from '../finding.ts'
import { requestText } from '../items/request-text.ts'
import type { Lab } from '../lab.ts'
import type { WidgetsDone } from '../operators/widgets.ts'
import { group } from '../row.ts'
import { type Server, track } from '../servers/server.ts'

const WIDGETS = 5000
const COLLECTION = '/apis/bench.homeostat.dev/v1/namespaces/default/widgets'
const program = fileURLToPath(new URL('../operators/widgets.ts', import.meta.url))

interface Site {
  readonly count: number
  readonly first: WidgetsDone
  readonly again: WidgetsDone
}

export const reconcile = group(open, [
  {
    work: 'operator, 5,000 Widgets with a ConfigMap and a status each: API calls per Widget',
    async measure({ count, first }, work): Promise<Finding> {
      const perSecond = Math.round((count / first.ms) * 1000)
      return atMostCount(work, (first.reads + first.writes) / count, 3, `${perSecond} Widgets per second`)
    },
  },
  {
    work: 'operator, started again on 5,000 Widgets that are as they should be: writes',
    measure: async ({ again }, work) => atMostCount(work, again.writes, 0, `${Math.round(again.ms)} ms`),
  },
])

async function open(lab: Lab): Promise<Site> {
  const count = lab.count(WIDGETS)
  const server = await lab.start(lab.newDirectory())
  await ended(start(server, 'define'))
  const text = widgetText(server.port)
  await lab.load.runAll({ port: server.port, connections: 16, count, status: 201, text })
  return { count, first: await reconciled(server), again: await reconciled(server) }
}

function start(server: Server, mode: string): ChildProcess {
  const options = { execArgv: ['--conditions=homeostat-source', '--disable-warning=ExperimentalWarning'] }
  return track(fork(program, [`http://127.0.0.1:${server.port}`, mode], options))
}

async function reconciled(server: Server): Promise<WidgetsDone> {
  const child = start(server, 'run')
  let done: WidgetsDone | undefined
  child.once('message', (message) => {
    done = message as WidgetsDone
  })
  await ended(child)
  if (!done) throw new Error('the operator of the bench ended before its work was done')
  return done
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`the operator ended with ${code}`))))
  })
}

function widgetText(port: number): string {
  const widget = {
    apiVersion: 'bench.homeostat.dev/v1',
    kind: 'Widget',
    metadata: { name: 'widget-{n}', namespace: 'default' },
    spec: { count: 3, message: 'a widget of the bench', pad: 'x'.repeat(512) },
  }
  return requestText(port, { method: 'POST', path: COLLECTION, body: JSON.stringify(widget) })
}
