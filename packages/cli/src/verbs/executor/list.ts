// `homeostat executor list`: lists executors, when they were last seen, and how many processes they run.

import { type ExecutorFacts, executorFacts, executorKey, type HeartbeatLease } from '@homeostat/colony/views'
import type { Executor, Process } from '@homeostat/executor/protocol'
import { isNotServed } from '../../access/failure.ts'
import { listObjects } from '../../access/objects.ts'
import { EXECUTORS, LEASES, PROCESSES } from '../../access/paths.ts'
import { withServer } from '../../access/session.ts'
import { colonyOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import { ageOf, NAMESPACE, toneOf } from '../../output/cells.ts'
import type { Column } from '../../output/table.ts'
import type { Terminal } from '../../terminal.ts'
import { printList } from '../listing.ts'
import { noOperands } from '../operands.ts'
import { noQueue } from '../process/read-process.ts'

export const listOptions = ['all-namespaces', 'output', 'selector', ...colonyOptions] as const

export async function listExecutors(
  values: Values<(typeof listOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  noOperands(operands)
  await withServer(values, terminal, async ({ client, url, ...session }) => {
    const all = values['all-namespaces']
    const namespace = all ? undefined : session.namespace
    const fieldSelector = 'status.phase=Running'
    const [executors, leases, processes] = await Promise.all([
      listObjects<Executor>(client, EXECUTORS, { namespace, labelSelector: values.selector }),
      listObjects<HeartbeatLease>(client, LEASES, { namespace }),
      listObjects<Process>(client, PROCESSES, { namespace, fieldSelector }),
    ]).catch((error) => {
      throw isNotServed(error) ? noQueue(url, error) : error
    })
    const columns = executorColumns(executorFacts(leases, processes), all)
    const where = namespace === undefined ? '' : ` in the namespace ${namespace}`
    const empty = `there are no executors${where}; \`homeostat executor run --type TYPE\` is one`
    return printList(terminal, { columns, output: values.output, empty }, executors)
  })
  return 0
}

function executorColumns({ lastSeen, running }: ExecutorFacts, namespaces: boolean): Column<Executor>[] {
  return [
    ...(namespaces ? [NAMESPACE] : []),
    { header: 'NAME', text: ({ metadata }) => metadata.name ?? '', firm: true },
    { header: 'TYPE', text: ({ spec }) => spec.type },
    { header: 'LOCATION', text: ({ spec }) => spec.location ?? '' },
    { header: 'PHASE', text: ({ status }) => status?.phase ?? '', tone: toneOf },
    {
      header: 'LAST-SEEN',
      text: ({ metadata }) => ageOf(lastSeen.get(executorKey(metadata.namespace, metadata.name))),
    },
    {
      header: 'RUNNING',
      text: ({ metadata }) => `${running.get(executorKey(metadata.namespace, metadata.name)) ?? 0}`,
    },
    { header: 'AGE', text: ({ metadata }) => ageOf(metadata.creationTimestamp), wide: true },
    { header: 'FUNCTIONS', text: ({ spec }) => spec.functions?.join(',') ?? '', wide: true },
  ]
}
