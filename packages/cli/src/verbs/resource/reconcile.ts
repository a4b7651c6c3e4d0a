// `homeostat resource reconcile [KIND/]NAME`: asks the handler to look at a resource now, also when nothing changed.

import { type Process, RECONCILE_ANNOTATION, RESOURCE_LABELS } from '@homeostat/executor/protocol'
import { handlerText } from '../../access/definitions.ts'
import { listObjects, patchObject } from '../../access/objects.ts'
import { PROCESSES } from '../../access/paths.ts'
import { type Session, withServer } from '../../access/session.ts'
import { waitFor } from '../../access/wait.ts'
import type { Values } from '../../options/option-table.ts'
import type { Terminal } from '../../terminal.ts'
import { oneName } from '../operands.ts'
import { executorsOfType, nobodyOnline } from '../process/executors-of-type.ts'
import { phaseText, tellEnd } from '../process/follow-process.ts'
import { hasEnded } from '../process/read-process.ts'
import { type FoundResource, oneResource, resourceName } from './find-resource.ts'
import type { reconcileOptions } from './resource-verbs.ts'

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
    const before = values.wait ? await processesOf(session, resource) : []
    const annotations = { [RECONCILE_ANNOTATION]: `${values.force ? 'force-' : ''}${new Date().toISOString()}` }
    await patchObject(session.client, kind, { namespace, name }, { metadata: { annotations } })
    if (!values.wait) {
      terminal.out(`${resourceName(resource)} was handed to ${handlerText(kind.handler)}\n`)
      return 0
    }
    const process = await follow(session, terminal, { resource, before, timeout: values.timeout })
    if (process !== undefined && process.status.phase !== 'Succeeded') return tellEnd(terminal, process)
    terminal.out(`${resourceName(resource)} was reconciled\n`)
    return 0
  })
}

function selectionOf({ object }: FoundResource, colony: string) {
  return {
    namespace: object.metadata.namespace ?? colony,
    labelSelector: `${RESOURCE_LABELS.uid}=${object.metadata.uid}`,
  }
}

function processesOf({ client, namespace }: Session, resource: FoundResource): Promise<Process[]> {
  return listObjects<Process>(client, PROCESSES, selectionOf(resource, namespace))
}

interface Following {
  readonly resource: FoundResource
  readonly before: readonly Process[]
  readonly timeout: number | undefined
}

/** The process that answers the request: one that had not begun before it. Undefined when it is gone at its end. */
async function follow(
  session: Session,
  terminal: Terminal,
  { resource, before, timeout }: Following,
): Promise<Process | undefined> {
  const begun = new Set(before.filter(({ status }) => status?.phase !== 'Waiting').map(({ metadata }) => metadata.uid))
  const selection = selectionOf(resource, session.namespace)
  const type = resource.kind.handler?.executorType
  let seen = false
  return waitFor<Process, Process | undefined>(session, terminal, {
    apiVersion: 'colonies.io/v1',
    kind: 'Process',
    selection,
    timeout,
    hints: executorsOfType(selection.namespace, type ?? ''),
    look(processes, executors) {
      const process = processes.find(({ metadata }) => !begun.has(metadata.uid))
      // A run that changed nothing leaves no process behind.
      if (process === undefined && seen) return { done: undefined }
      if (process === undefined) return { waiting: `${resourceName(resource)} has no process yet` }
      seen = true
      if (hasEnded(process)) return { done: process }
      const nobody = nobodyOnline(type, executors)
      return { waiting: `${process.metadata.name} ${phaseText(process, nobody, Date.now())}` }
    },
  })
}
