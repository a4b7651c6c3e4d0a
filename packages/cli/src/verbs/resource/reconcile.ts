// `homeostat resource reconcile [KIND/]NAME`: has the handler reconcile a resource now, also when nothing changed.

import { COMPOSITE, nobodyOnline } from '@homeostat/colony/views'
import { type Process, RECONCILE_ANNOTATION, RESOURCE_LABELS } from '@homeostat/executor/protocol'
import { handlerText } from '../../access/definitions.ts'
import { patchObject } from '../../access/objects.ts'
import { type Session, withServer } from '../../access/session.ts'
import { waitFor } from '../../access/wait.ts'
import { colonyOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import type { Terminal } from '../../terminal.ts'
import { oneName } from '../operands.ts'
import { executorsOfType } from '../process/executors-of-type.ts'
import { phaseText, tellEnd } from '../process/follow-process.ts'
import { hasEnded } from '../process/read-process.ts'
import { type FoundResource, oneResource, resourceName } from './find-resource.ts'
import { waitUntilReady } from './wait-ready.ts'

export const reconcileOptions = ['force', 'wait', 'timeout', ...colonyOptions] as const

/** The namespace of processes for cluster-scoped resources. */
const CLUSTER_NAMESPACE = 'default'

export async function reconcileResource(
  values: Values<(typeof reconcileOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const word = oneName(operands, 'resource reconcile')
  return withServer(values, terminal, async (session) => {
    const resource = await oneResource(session, word, 'resource reconcile')
    const { kind, object } = resource
    const { name = '', namespace = '' } = object.metadata
    const request = requestText(values.force, new Date())
    const annotations = { [RECONCILE_ANNOTATION]: request }
    await patchObject(session.client, kind, { namespace, name }, { metadata: { annotations } })
    if (!values.wait) {
      terminal.out(`${resourceName(resource)} was handed to ${handlerText(kind.handler)}\n`)
      return 0
    }
    if (kind.handler?.executorType === COMPOSITE) {
      await waitUntilReady(session, terminal, resource, values.timeout)
      terminal.out(`${resourceName(resource)} is ready\n`)
      return 0
    }
    const process = await follow(session, terminal, { resource, request, timeout: values.timeout })
    if (process !== undefined && process.status.phase !== 'Succeeded') return tellEnd(terminal, process)
    terminal.out(`${resourceName(resource)} was reconciled\n`)
    return 0
  })
}

/** The value of the annotation, which the colony copies to the process that it creates. */
export function requestText(force: boolean, now: Date): string {
  return `${force ? 'force-' : ''}${now.toISOString()}`
}

/** A newer request replaces one that the colony has not taken yet; the process of the newer one answers both. */
export function answers(request: string, { metadata }: Process): boolean {
  const time = (text: string) => text.replace(/^force-/, '')
  const taken = metadata.annotations?.[RECONCILE_ANNOTATION]
  return taken !== undefined && time(taken) >= time(request)
}

interface Following {
  readonly resource: FoundResource
  readonly request: string
  readonly timeout: number | undefined
}

/** The process that answers the request; undefined if it was deleted when it ended. */
async function follow(
  session: Session,
  terminal: Terminal,
  { resource, request, timeout }: Following,
): Promise<Process | undefined> {
  const { uid, namespace = CLUSTER_NAMESPACE } = resource.object.metadata
  const type = resource.kind.handler?.executorType
  let answering: string | undefined
  return waitFor<Process, Process | undefined>(session, terminal, {
    apiVersion: 'colonies.io/v1',
    kind: 'Process',
    selection: { namespace, labelSelector: `${RESOURCE_LABELS.uid}=${uid}` },
    timeout,
    hints: executorsOfType(namespace, type ?? ''),
    look(processes, executors) {
      const process = processes.find((one) =>
        answering === undefined ? answers(request, one) : one.metadata.uid === answering,
      )
      // The process of a reconcile without changes may be deleted at once.
      if (process === undefined && answering !== undefined) return { done: undefined }
      if (process === undefined) return { waiting: `${resourceName(resource)} has no process yet` }
      answering = process.metadata.uid
      if (hasEnded(process)) return { done: process }
      const nobody = nobodyOnline(type, executors)
      return { waiting: `${process.metadata.name} ${phaseText(process, nobody, Date.now())}` }
    },
  })
}
