// `GET pods/NAME/log`: finds the container's unit on its runtime and reads its log. The API server calls it; errors are
// those of Kubernetes, so that kubectl shows the same messages.

import { type Clock, systemClock } from '@homeostat/base'
import type { Client } from '@homeostat/client'
import { badRequest, notFound } from '@homeostat/meta'
import { isTrue, logOptions, type Runtime, type UnitState } from '@homeostat/runtimes'
import type { Pod } from '../kinds.ts'
import { OF_PODS, POD_UID, unitsOf } from './unit-name.ts'

export type PodLogs = (
  namespace: string,
  name: string,
  query: URLSearchParams,
  signal: AbortSignal,
) => Promise<AsyncIterable<Uint8Array>>

/** Rejects before the first byte when there is no log. */
export function podLogs(
  runtimes: readonly Runtime[],
  client: Client,
  clock: Pick<Clock, 'now'> = systemClock,
): PodLogs {
  return async (namespace, name, query, signal) => {
    const options = logOptions(query, name, clock.now())
    const pod = await client.resourceOf<Pod>('v1', 'Pod').find({ name, namespace }, { signal })
    if (!pod) throw notFound({ group: '', resource: 'pods' }, name)
    const container = chosenContainer(pod, query.get('container') ?? '')
    if (!pod.spec?.nodeName) return nothing()
    const previous = isTrue(query.get('previous'))
    const labels = { ...OF_PODS, [POD_UID]: pod.metadata.uid ?? '' }
    // A runtime that fails does not prevent a look at the others.
    const answers = await Promise.allSettled(runtimes.map((runtime) => runtime.list(labels)))
    for (const [index, answer] of answers.entries()) {
      const unit = answer.status === 'fulfilled' && pickUnit(unitsOf(answer.value, container), previous)
      if (unit) return (runtimes[index] as Runtime).logs(unit.id, { ...options, signal })
    }
    const failure = answers.find((answer) => answer.status === 'rejected')
    if (failure) throw failure.reason
    throw badRequest(whyNone(pod, container, previous))
  }
}

function pickUnit(units: readonly UnitState[], previous: boolean): UnitState | undefined {
  const [newest, before] = units
  if (!previous) return newest?.phase === 'starting' ? undefined : newest
  return before?.phase === 'exited' ? before : undefined
}

function chosenContainer({ metadata, spec = {} }: Pod, asked: string): string {
  const main = (spec.containers ?? []).map(({ name }) => name)
  const init = (spec.initContainers ?? []).map(({ name }) => name)
  if (asked !== '') {
    if ([...main, ...init].includes(asked)) return asked
    throw badRequest(`container ${asked} is not valid for pod ${metadata.name}`)
  }
  const [only, ...others] = main
  if (only !== undefined && others.length === 0) return only
  const also = init.length > 0 ? ` or one of the init containers: [${init.join(' ')}]` : ''
  throw badRequest(
    `a container name must be specified for pod ${metadata.name}, choose one of: [${main.join(' ')}]${also}`,
  )
}

function whyNone({ metadata, status = {} }: Pod, container: string, previous: boolean): string {
  const subject = `container "${container}" in pod "${metadata.name}"`
  if (previous) return `previous terminated ${subject} not found`
  const statuses = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])]
  const state = statuses.find(({ name }) => name === container)?.state
  const reason = state?.waiting?.reason ?? (state?.terminated ? undefined : 'ContainerCreating')
  if (reason === undefined) return `${subject} is terminated, and its runtime has kept nothing of it`
  const waits = ['CreateContainerError', 'CreateContainerConfigError'].includes(reason)
  return `${subject} is waiting to start: ${waits ? (state?.waiting?.message ?? reason) : reason}`
}

async function* nothing(): AsyncIterable<Uint8Array> {}
