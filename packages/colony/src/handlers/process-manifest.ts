// Builds the Process for a resource: its kwargs, labels and name. Pure.

import {
  type Process,
  type ProcessSpec,
  RECONCILE_ANNOTATION,
  RESOURCE_LABELS,
  TRIGGER_ANNOTATION,
} from '@homeostat/executor/protocol'
import { deepEqual, type KubeObject, type ObjectMeta } from '@homeostat/meta'
import { firstText } from '../kinds/field-path.ts'
import { hash32 } from '../queue/hash32.ts'
import type { HandledKind } from './handled-kind.ts'
import type { Trigger } from './handler-plan.ts'
import { asLabel } from './label-text.ts'

/** The namespace of Processes for resources without a namespace. */
export const CLUSTER_NAMESPACE = 'default'
/** The limit for kwargs, in bytes of JSON. */
export const MAX_KWARGS = 1 << 20
const TTL_SECONDS = 3600
const NAME_LENGTH = 63

export type Kwargs = Readonly<Record<string, unknown>> & { readonly metadata?: ObjectMeta; readonly force?: unknown }

/** The fields of the resource, without managedFields and the colony's own annotation. */
export function kwargsOf(resource: KubeObject, force: boolean): Kwargs {
  const { managedFields: _, annotations, ...metadata } = resource.metadata
  const { [RECONCILE_ANNOTATION]: __, ...others } = annotations ?? {}
  return {
    ...resource,
    metadata: { ...metadata, ...(Object.keys(others).length > 0 && { annotations: others }) },
    blueprintName: metadata.name,
    ...(force && { force: true }),
  }
}

/** Whether both have the same desired state. The status is not compared, since executors write it. */
export function carriesSame(a: Kwargs, b: Kwargs): boolean {
  const compared = ({ metadata, status: _, ...rest }: Kwargs) => {
    const { generation, deletionTimestamp, labels, annotations } = metadata ?? {}
    return {
      ...rest,
      metadata: { generation, deletionTimestamp, labels: labels ?? {}, annotations: annotations ?? {} },
    }
  }
  return deepEqual(compared(a), compared(b))
}

/** Whether a user asks for a reconcile that does everything again. */
export function isForced({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[RECONCILE_ANNOTATION]?.startsWith('force') ?? false
}

export function processFor(kind: HandledKind, resource: KubeObject, trigger: Trigger, nonce: string): KubeObject {
  const { name = '', namespace = CLUSTER_NAMESPACE, uid = '' } = resource.metadata
  const spec: ProcessSpec = {
    ...handledBy(kind, resource),
    kwargs: kwargsOf(resource, isForced(resource)),
    label: `${kind.kind}/${name}`,
    maxRetries: -1,
    concurrencyKey: uid,
    ttlSecondsAfterFinished: TTL_SECONDS,
  }
  return {
    apiVersion: 'colonies.io/v1',
    kind: 'Process',
    metadata: {
      name: processName(name, uid, nonce),
      namespace,
      labels: resourceLabels(kind, resource),
      annotations: triggerAnnotations(resource, trigger),
      ownerReferences: [{ apiVersion: kind.apiVersion, kind: kind.kind, name, uid, controller: true }],
    },
    spec,
  }
}

/** The fields of the Process's spec that follow from the handler, and from where the resource says that it is. */
export function handledBy(
  { handler }: Pick<HandledKind, 'handler'>,
  resource: KubeObject,
): Pick<ProcessSpec, 'funcName' | 'conditions'> {
  const { executorType, functionName: funcName } = handler
  const location = firstText(resource, handler.locationFrom) ?? handler.location
  const software = firstText(resource, handler.softwareFrom)
  return {
    funcName,
    conditions: {
      executorType,
      ...(location !== undefined && { location }),
      ...(software !== undefined && { software: [software] }),
    },
  }
}

export function resourceLabels({ kind }: HandledKind, { metadata }: KubeObject): Record<string, string> {
  return {
    [RESOURCE_LABELS.kind]: kind,
    [RESOURCE_LABELS.name]: asLabel(metadata.name ?? ''),
    [RESOURCE_LABELS.uid]: metadata.uid ?? '',
    [RESOURCE_LABELS.generation]: String(metadata.generation ?? 0),
  }
}

/** Has the value of the user's request, so that its client can find the Process. */
export function triggerAnnotations({ metadata }: KubeObject, trigger: Trigger): Record<string, string> {
  const request = metadata.annotations?.[RECONCILE_ANNOTATION]
  return { [TRIGGER_ANNOTATION]: trigger, ...(request !== undefined && { [RECONCILE_ANNOTATION]: request }) }
}

/** The resource of a Process; undefined for one that a user submitted. Read from kwargs, since a deletion may remove owners. */
export function resourceOf({ metadata, spec }: Process) {
  const { apiVersion, kind, metadata: resource } = (spec.kwargs ?? {}) as Kwargs & Partial<KubeObject>
  const { name, uid, namespace, generation = 0, deletionTimestamp } = resource ?? {}
  if (apiVersion === undefined || kind === undefined || name === undefined || uid === undefined) return undefined
  if (metadata.labels?.[RESOURCE_LABELS.uid] !== uid) return undefined
  return {
    group: apiVersion.split('/')[0] ?? '',
    kind,
    uid,
    name: namespace === undefined ? { name } : { name, namespace },
    generation,
    deleting: deletionTimestamp !== undefined,
    trigger: metadata.annotations?.[TRIGGER_ANNOTATION],
  }
}

/** `<resource>-<uid8>-<hash>`. */
function processName(resource: string, uid: string, nonce: string): string {
  const tail = `-${uid.slice(0, 8)}-${hash32(`${uid}/${nonce}`).toString(36).padStart(7, '0').slice(-5)}`
  return `${resource.slice(0, NAME_LENGTH - tail.length).replace(/[^a-z0-9]+$/, '')}${tail}`
}
