// `homeostat logs POD | TYPE/NAME`: prints the logs of pods, and of any kind whose objects have a log, such as processes.

import { listObjects } from '../../access/objects.ts'
import { objectPath } from '../../access/paths.ts'
import { ServedKinds } from '../../access/served-kinds.ts'
import { type Session, withServer } from '../../access/session.ts'
import { Fault } from '../../fault.ts'
import type { logsOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import type { Terminal } from '../../terminal.ts'
import { logQuery, printLog } from '../print-log.ts'
import { containersOf, type Pod, podsOf } from './log-sources.ts'
import { Problems } from './problems.ts'

type LogsValues = Values<(typeof logsOptions)[number]>

/** Of each pod of a selection, as kubectl does. */
const SELECTED_TAIL = 10

interface Stream {
  readonly path: string
  readonly prefix: string
}

export async function logs(values: LogsValues, operands: readonly string[], terminal: Terminal): Promise<number> {
  const [word, container = values.container, extra] = operands
  if (extra !== undefined || (word === undefined) === (values.selector === undefined)) {
    throw new Fault("expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]', or -l LABELS without a name")
  }
  return withServer(values, terminal, async (session) => {
    const problems = new Problems(terminal, session.url)
    const streams = await streamsOf({ ...values, container }, word, session, terminal)
    const print = ({ path, prefix }: Stream) => problems.attempt(() => printLog(session, terminal, path, prefix))
    if (values.follow) await Promise.all(streams.map(print))
    else for (const stream of streams) await print(stream)
    return problems.exitCode
  })
}

async function streamsOf(
  values: LogsValues,
  word: string | undefined,
  session: Session,
  terminal: Terminal,
): Promise<Stream[]> {
  const { client, namespace } = session
  const kinds = await ServedKinds.read(client)
  const ofPods = (pods: readonly Pod[]) => pods.flatMap((pod) => podStreams(pod, values, session, terminal, kinds))
  if (word === undefined) {
    const pods = await listObjects<Pod>(client, kinds.one('pods'), { namespace, labelSelector: values.selector })
    if (pods.length === 0) terminal.error(`No resources found in ${namespace} namespace.\n`)
    return ofPods(pods)
  }
  const slash = word.indexOf('/')
  const name = word.slice(slash + 1)
  const kind = kinds.one(slash < 0 ? 'pods' : word.slice(0, slash))
  if (kind.subresources.includes('log') && kind.kind !== 'Pod') {
    const prefix = values.prefix ? `[${kind.singular}/${name}] ` : ''
    return [{ path: `${objectPath(kind, namespace, name, 'log')}${logQuery(values)}`, prefix }]
  }
  const pods = await podsOf(session, kinds.one('pods'), kind, name)
  if (pods.length > 1) terminal.error(`Found ${pods.length} pods, using pod/${pods[0]?.metadata.name}\n`)
  return ofPods(pods.slice(0, 1))
}

function podStreams(
  pod: Pod,
  values: LogsValues,
  { namespace }: Session,
  terminal: Terminal,
  kinds: ServedKinds,
): Stream[] {
  const { name = '' } = pod.metadata
  const { containers, note } = containersOf(pod, { container: values.container, all: values['all-containers'] })
  if (note !== undefined) terminal.error(`${note}\n`)
  const tail = values.tail ?? (values.selector === undefined ? undefined : SELECTED_TAIL)
  const path = objectPath(kinds.one('pods'), namespace, name, 'log')
  return containers.map((container) => ({
    path: `${path}${logQuery({ ...values, container, tail })}`,
    prefix: values.prefix ? `[pod/${name}/${container}] ` : '',
  }))
}
