// A graph and a schedule on a server inside this program: words are counted in parallel and joined, first by hand, then by a schedule.

import { silentLog } from '@homeostat/base'
import { executor } from '@homeostat/executor'
import type { GraphNode, ProcessGraph } from '@homeostat/executor/graphs'
import type { Schedule } from '@homeostat/executor/schedules'
import { testColony } from '@homeostat/testing/colony'

const conditions = { executorType: 'words' }

/** Split adds a node for each line; join runs when both it and split have ended. */
const nodes: readonly GraphNode[] = [
  { name: 'split', funcName: 'split', args: ['to be or not\nto be'], conditions },
  {
    name: 'shout',
    dependencies: ['split'],
    when: [{ node: 'split', pointer: '/lines', operator: 'GreaterThan', value: 5 }],
    funcName: 'shout',
    conditions,
  },
]

export async function runPipeline(print: (line: string) => void): Promise<void> {
  await using colony = await testColony()
  await using running = executor({
    client: colony.client,
    colony: 'default',
    type: 'words',
    log: silentLog,
    concurrency: 4,
    functions: {
      split: async ({ args, addNodes }) => {
        const lines = String(args[0]).split('\n')
        const counts = lines.map((line, index) => ({
          name: `count-${index}`,
          dependencies: ['split'],
          funcName: 'count',
          args: [line],
          conditions,
        }))
        await addNodes([
          ...counts,
          { name: 'join', dependencies: counts.map(({ name }) => name), funcName: 'join', conditions },
        ])
        return { lines: lines.length }
      },
      count: ({ args }) => String(args[0]).split(' ').length,
      join: ({ input }) => {
        const words = input.reduce<number>((sum, one) => sum + Number(one), 0)
        print(`${input.join(' + ')} = ${words} words`)
        return { words }
      },
      shout: () => print('this is a long text'),
    },
  })
  await running.ready

  const graphs = colony.client.resourceOf<ProcessGraph>('colonies.io/v1', 'ProcessGraph')
  const ended = async (name: string) => {
    const graph = await colony.until<ProcessGraph>(
      { apiVersion: 'colonies.io/v1', kind: 'ProcessGraph', name, namespace: 'default' },
      ({ status }) => status?.finishedAt !== undefined,
    )
    const { total = 0, succeeded = 0, skipped = 0 } = graph.status?.nodes ?? {}
    print(`${graph.status?.phase}: ${succeeded} of ${total} nodes succeeded, ${skipped} skipped`)
  }
  const base = { apiVersion: 'colonies.io/v1', metadata: { name: 'words', namespace: 'default' } }
  await graphs.create({ ...base, kind: 'ProcessGraph', spec: { nodes } })
  await ended('words')

  const schedules = colony.client.resourceOf<Schedule>('colonies.io/v1', 'Schedule')
  await schedules.create({ ...base, kind: 'Schedule', spec: { cron: '0 2 * * *', graph: { nodes } } })
  const path = '/apis/colonies.io/v1/namespaces/default/schedules/words/run'
  const headers = { 'content-type': 'application/json' }
  const { run } = (await colony.client.requestJson({ method: 'POST', path, headers, body: '{}' })) as { run: string }
  print('the schedule runs it now')
  await ended(run)
}
