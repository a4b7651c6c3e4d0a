// What is wrong with a control plane, from facts that were read before; pure. Each check gives findings with what to do next.

import type { ApiObject } from '@homeostat/client'
import { type Executor, HANDLER_FINALIZER, type Process } from '@homeostat/executor/protocol'
import { type DefinedKind, handlerText } from '../../access/definitions.ts'

export type Level = 'OK' | 'WARN' | 'ERROR' | 'FIXED'

export interface Finding {
  readonly level: Level
  readonly text: string
  /** What --fix does about it. */
  readonly fix?: Fix
}

export type Fix =
  | { readonly kind: 'remove-executor'; readonly namespace: string; readonly name: string }
  | { readonly kind: 'reconcile'; readonly of: DefinedKind; readonly namespace: string; readonly name: string }

/** The colony itself reconciles these. */
const COMPOSITE = 'composite'
/** The namespace of Processes for cluster-scoped resources. */
const CLUSTER_NAMESPACE = 'default'
/** So many namespaces are named. */
const MOST_NAMED = 3

interface HandledResources {
  readonly kind: DefinedKind
  readonly objects: readonly ApiObject[]
}

export function handlerFindings(
  handled: readonly HandledResources[],
  executors: readonly Executor[],
  processes: readonly Process[],
): Finding[] {
  const online = executors.filter(({ status }) => status?.phase === 'Online')
  return handled.flatMap(({ kind, objects }) => {
    const { handler } = kind
    if (handler === undefined || handler.executorType === COMPOSITE) return []
    const able = online.filter((one) => offers(one, handler.executorType, handler.functionName))
    const served = new Set(able.map(({ metadata }) => metadata.namespace))
    const unserved = objects.filter((object) => !served.has(colonyOf(object)))
    const missing = able.length === 0 || unserved.length > 0 ? [withoutExecutor(kind, unserved, online)] : []
    return [
      ...missing,
      ...behind(
        kind,
        objects.filter((object) => served.has(colonyOf(object))),
        processes,
      ),
      ...(missing.length > 0 ? [] : [{ level: 'OK', text: onlineText(kind, able.length) } as const]),
    ]
  })
}

function onlineText({ kind, handler }: DefinedKind, count: number): string {
  return `${kind}: ${handlerText(handler)} has ${count} executor${count === 1 ? '' : 's'} online`
}

/** An executor that has the function under another type is the usual mistake. */
function withoutExecutor(
  { kind, handler }: DefinedKind,
  unserved: readonly ApiObject[],
  online: readonly Executor[],
): Finding {
  const { executorType = '', functionName = '' } = handler ?? {}
  const waiting = unserved.filter(isUnreconciled)
  const level = waiting.length > 0 ? 'ERROR' : 'WARN'
  const places = [...new Set(unserved.map(colonyOf))].sort()
  const isThere = ({ metadata }: Executor) => places.length === 0 || places.includes(metadata.namespace ?? '')
  const other = online.find((one) => isThere(one) && one.spec.functions?.includes(functionName))
  if (other !== undefined) {
    const { metadata, spec } = other
    return {
      level,
      text: `${kind}: its handler wants executors of the type ${executorType}, but ${metadata.name}, which has ${functionName}, is of the type ${spec.type}; change one of them`,
    }
  }
  const where = places.length === 0 ? '' : ` in ${named(places)}`
  const who =
    waiting.length === 0 ? '' : `, and ${waiting.length} ${waiting.length === 1 ? 'resource waits' : 'resources wait'}`
  const [first] = places
  const command = `homeostat executor run --type ${executorType} --module FILE${first === undefined ? '' : ` -n ${first}`}`
  return {
    level,
    text: `${kind}: no executor of the type ${executorType} with the function ${functionName} is online${where}${who}; start one, such as: ${command}`,
  }
}

function named(places: readonly string[]): string {
  const more = places.length - MOST_NAMED
  return `${places.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** The colony that reconciles it. */
export function colonyOf({ metadata }: ApiObject): string {
  return metadata.namespace ?? CLUSTER_NAMESPACE
}

export function isUnreconciled(object: ApiObject): boolean {
  const { generation = 0, deletionTimestamp } = object.metadata
  const observed = (object as { status?: { observedGeneration?: number } }).status?.observedGeneration ?? 0
  return deletionTimestamp !== undefined || observed < generation
}

/** An executor that names no functions takes all. */
function offers({ spec }: Executor, type: string, functionName: string): boolean {
  const { functions = [] } = spec
  return spec.type === type && (functions.length === 0 || functions.includes(functionName))
}

/** Resources whose newest generation nobody has reconciled and no Process will. */
function behind(of: DefinedKind, objects: readonly ApiObject[], processes: readonly Process[]): Finding[] {
  const active = new Set(
    processes.flatMap(({ status, metadata }) =>
      status?.phase === 'Waiting' || status?.phase === 'Running' ? [metadata.labels?.['colonies.io/resource-uid']] : [],
    ),
  )
  return objects.flatMap((object): Finding[] => {
    const { name = '', namespace = '', generation = 0, uid, deletionTimestamp } = object.metadata
    if (!isUnreconciled(object) || active.has(uid) || deletionTimestamp !== undefined) return []
    const command = `homeostat resource reconcile ${name}${namespace === '' ? '' : ` -n ${namespace}`}`
    return [
      {
        level: 'WARN',
        text: `${of.kind} ${place(namespace, name)}: generation ${generation} is not reconciled and no Process is under way; ${command}`,
        fix: { kind: 'reconcile', of, namespace, name },
      },
    ]
  })
}

export function executorFindings(executors: readonly Executor[]): Finding[] {
  const lost = executors.filter(({ status }) => status?.phase === 'Lost')
  if (lost.length === 0) return [{ level: 'OK', text: `executors: ${executors.length}, none lost` }]
  return lost.map(({ metadata: { name = '', namespace = '' }, spec }) => ({
    level: 'WARN',
    text: `executor ${place(namespace, name)} (${spec.type}) is lost; start it again, or delete it`,
    fix: { kind: 'remove-executor', namespace, name },
  }))
}

/** Waiting Processes that no executor which is online can take. */
export function functionFindings(processes: readonly Process[], executors: readonly Executor[]): Finding[] {
  const online = executors.filter(({ status }) => status?.phase === 'Online')
  const unoffered = new Map<string, number>()
  for (const { metadata, spec, status } of processes) {
    if (status?.phase !== 'Waiting') continue
    const { namespace = '' } = metadata
    const isOffered = online.some(
      (one) => one.metadata.namespace === namespace && offers(one, spec.conditions.executorType, spec.funcName),
    )
    const key = `${spec.funcName} for the type ${spec.conditions.executorType} in ${namespace}`
    if (!isOffered) unoffered.set(key, (unoffered.get(key) ?? 0) + 1)
  }
  if (unoffered.size === 0)
    return [{ level: 'OK', text: 'functions: every waiting Process has an executor that offers its function' }]
  return [...unoffered].map(([what, count]) => ({
    level: 'WARN',
    text: `${count} waiting: nobody offers the function ${what}; start an executor that has it`,
  }))
}

export function definitionFindings(kinds: readonly DefinedKind[], annotated: ReadonlySet<string>): Finding[] {
  const findings: Finding[] = []
  for (const { definition, handler } of kinds) {
    const { name = '' } = definition.metadata
    if (annotated.has(name) && handler === undefined)
      findings.push({
        level: 'ERROR',
        text: `definition ${name}: its annotation colonies.io/handler is no handler; it is ignored`,
      })
    for (const { type, status, ...condition } of definition.status?.conditions ?? []) {
      const { message = '' } = condition as { message?: string }
      const isWrong =
        type === 'Established' || type === 'NamesAccepted'
          ? status !== 'True'
          : type === 'NonStructuralSchema' && status === 'True'
      if (isWrong) findings.push({ level: 'ERROR', text: `definition ${name}: ${type} is ${status}: ${message}` })
    }
  }
  return findings.length > 0 ? findings : [{ level: 'OK', text: `definitions: ${kinds.length} accepted` }]
}

/** Finalizers of a deletion that takes longer than this are stuck. */
const STUCK_AFTER_MS = 60_000

export function finalizerFindings(
  marked: readonly ApiObject[],
  handled: readonly DefinedKind[],
  now: number,
): Finding[] {
  const stuck = marked.filter(({ metadata }) => now - Date.parse(metadata.deletionTimestamp ?? '') > STUCK_AFTER_MS)
  if (stuck.length === 0) return [{ level: 'OK', text: 'finalizers: none holds a deleted object' }]
  return stuck.flatMap((object) => {
    const { name = '', namespace = '', finalizers = [], deletionTimestamp = '' } = object.metadata
    return finalizers.map(
      (finalizer): Finding => ({
        level: 'WARN',
        text: `${object.kind} ${place(namespace, name)} waits since ${deletionTimestamp} for the finalizer ${finalizer}: ${remover(object, finalizer, handled)}`,
      }),
    )
  })
}

/** Who should remove it: known by its name, or by who put it there. */
function remover(object: ApiObject, finalizer: string, handled: readonly DefinedKind[]): string {
  const handler = handled.find(
    ({ kind, definition }) => kind === object.kind && object.apiVersion?.startsWith(`${definition.spec.group}/`),
  )?.handler
  if (handler !== undefined && finalizer === (handler.finalizer ?? HANDLER_FINALIZER))
    return `an executor of the type ${handler.executorType} has to clean up`
  if (finalizer === 'foregroundDeletion' || finalizer === 'orphan')
    return "the server's garbage collector does, when the dependents are gone"
  const manager = managerOf(object, finalizer)
  return manager === undefined
    ? 'its controller has to remove it; start it'
    : `the manager ${manager} put it there and has to remove it; start it`
}

interface ManagedFields {
  readonly manager?: string
  readonly fieldsV1?: { readonly 'f:metadata'?: { readonly 'f:finalizers'?: Readonly<Record<string, unknown>> } }
}

function managerOf({ metadata }: ApiObject, finalizer: string): string | undefined {
  const { managedFields = [] } = metadata as { managedFields?: readonly ManagedFields[] }
  return managedFields.find(
    ({ fieldsV1 }) => fieldsV1?.['f:metadata']?.['f:finalizers']?.[`v:"${finalizer}"`] !== undefined,
  )?.manager
}

const DAY_MS = 24 * 60 * 60 * 1000

export interface CertificateEnd {
  readonly name: string
  readonly until: number
}

export function certificateFindings(certificates: readonly CertificateEnd[], now: number): Finding[] {
  return certificates.map(({ name, until }) => {
    const days = Math.floor((until - now) / DAY_MS)
    if (until <= now) return { level: 'ERROR', text: `${name}: its certificate ended; make a new one` }
    const level = days < 30 ? 'WARN' : 'OK'
    return { level, text: `${name}: its certificate ends in ${days} days${days < 30 ? '; make a new one' : ''}` }
  })
}

/** From the text of /readyz?verbose: what does not pass, with its reason. */
export function healthFindings(text: string): Finding[] {
  const lines = [...text.matchAll(/^\[([-!])\](\S+) (?:failed|warns): (.*)$/gm)]
  if (lines.length === 0) return [{ level: 'OK', text: 'server: ready, and no damaged record is known' }]
  return lines.map(([, mark, name, reason]): Finding => {
    const next = name === 'records' ? '; `homeostat check` names them, `homeostat salvage` keeps what can be read' : ''
    return { level: mark === '-' || name === 'records' ? 'ERROR' : 'WARN', text: `server ${name}: ${reason}${next}` }
  })
}

export function place(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`
}
