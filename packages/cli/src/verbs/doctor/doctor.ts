// `homeostat doctor [--fix]`: reads the control plane and tells what is wrong with it and what to do. With --fix it removes lost
// executors and has forgotten resources reconciled. It never removes a finalizer: what it guards might be lost.

import { X509Certificate } from 'node:crypto'
import { type Clock, pause, systemClock } from '@homeostat/base'
import { type ApiObject, type Client, createClient } from '@homeostat/client'
import {
  type Executor,
  HANDLER_ANNOTATION,
  type Process,
  RECONCILE_ANNOTATION,
  RESOURCE_LABELS,
} from '@homeostat/executor/protocol'
import { isStatusError } from '@homeostat/meta'
import { definedKind, readDefinitions } from '../../access/definitions.ts'
import { deleteObject, findObject, listMetadata, listObjects, patchObject } from '../../access/objects.ts'
import { EXECUTORS, PROCESSES } from '../../access/paths.ts'
import { ServedKinds } from '../../access/served-kinds.ts'
import { type Session, withServer } from '../../access/session.ts'
import type { doctorOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import { draw } from '../../output/escape-controls.ts'
import { paintFor, type Tone } from '../../output/style.ts'
import type { Terminal } from '../../terminal.ts'
import { noOperands } from '../operands.ts'
import {
  type CertificateEnd,
  certificateFindings,
  colonyOf,
  definitionFindings,
  executorFindings,
  type Finding,
  type Fix,
  finalizerFindings,
  functionFindings,
  handlerFindings,
  healthFindings,
  isUnreconciled,
  type Level,
  place,
} from './findings.ts'

const TONES: Readonly<Record<Level, Tone>> = { OK: 'good', WARN: 'busy', ERROR: 'bad', FIXED: 'good' }
const EVENTS = { group: '', version: 'v1', plural: 'events', namespaced: true }
/** How often, and how long apart, is looked whether the colony has heard of a request. */
const TRIES = 50
const PAUSE_MS = 200
const ROOT_CA = { group: '', version: 'v1', plural: 'configmaps', namespaced: true }

/** 0 when nothing is wrong any more, 1 with warnings, 2 with errors. */
const EXIT: Readonly<Record<Level, number>> = { OK: 0, FIXED: 0, WARN: 1, ERROR: 2 }

export async function doctor(
  values: Values<(typeof doctorOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  noOperands(operands)
  const { clock = systemClock } = terminal
  return withServer(values, terminal, async (session) => {
    const found = await examine(session, clock.now())
    const shown = values.fix ? await Promise.all(found.map((finding) => mended(session.client, finding, clock))) : found
    const paint = paintFor(terminal)
    for (const { level, text, fix } of shown) {
      const hint = fix !== undefined && !values.fix ? ' (--fix does it)' : ''
      draw(terminal, `${paint(TONES[level], `[${level}]`)} ${text}${hint}\n`)
    }
    return Math.max(...shown.map(({ level }) => EXIT[level]))
  })
}

interface Warning extends ApiObject {
  readonly message?: string
  readonly lastTimestamp?: string
  readonly eventTime?: string
}

async function examine({ client }: Session, now: number): Promise<Finding[]> {
  const definitions = await readDefinitions(client)
  const kinds = definitions.map(definedKind)
  const annotated = definitions.filter(({ metadata }) => metadata.annotations?.[HANDLER_ANNOTATION] !== undefined)
  const hasColony = kinds.some(({ group, plural }) => group === EXECUTORS.group && plural === EXECUTORS.plural)
  const [executors, processes] = hasColony
    ? await Promise.all([listObjects<Executor>(client, EXECUTORS), listObjects<Process>(client, PROCESSES)])
    : [[], []]
  const handled = kinds.filter(({ handler }) => handler !== undefined)
  const resources = await Promise.all(
    handled.map(async (kind) => ({ kind, objects: await listObjects<ApiObject>(client, kind) })),
  )
  // Read again: a Process that was created or has ended meanwhile is no reason to call its resource forgotten.
  const later = hasColony && handled.length > 0 ? await listObjects<Process>(client, PROCESSES) : []
  return [
    ...healthFindings(await healthText(client)),
    ...certificateFindings(await certificates(client), now),
    ...definitionFindings(kinds, new Set(annotated.map(({ metadata }) => metadata.name ?? ''))),
    // Its lists of deprecated kinds, such as Endpoints, are nobody's use of them: their warnings are not shown.
    ...finalizerFindings(await markedObjects(createClient(client.transport)), handled, now),
    ...(hasColony
      ? [
          ...executorFindings(executors),
          ...handlerFindings(resources, executors, [...processes, ...later]),
          ...functionFindings(processes, executors),
        ]
      : []),
  ]
}

/** A server that is not ready answers with 500, and the same lines. */
async function healthText(client: Client): Promise<string> {
  try {
    const { body } = await client.request({ method: 'GET', path: '/readyz?verbose' })
    const pieces: Uint8Array[] = []
    for await (const piece of body) pieces.push(piece)
    return Buffer.concat(pieces).toString()
  } catch (error) {
    if (isStatusError(error)) return `${error.message}\n[-]readyz failed: the server is not ready\n`
    throw error
  }
}

/** The authority that every namespace has in a ConfigMap; it signs what clients trust. */
async function certificates(client: Client): Promise<CertificateEnd[]> {
  const map = await findObject<ApiObject & { data?: Record<string, string> }>(
    client,
    ROOT_CA,
    'default',
    'kube-root-ca.crt',
  )
  const pem = map?.data?.['ca.crt'] ?? ''
  return [...pem.matchAll(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g)].map(([text]) => ({
    name: "the server's authority",
    until: Date.parse(new X509Certificate(text).validTo),
  }))
}

/** Objects of any kind that are marked for deletion and held. Kinds that this user may not list are left out. */
async function markedObjects(client: Client): Promise<ApiObject[]> {
  const kinds = (await ServedKinds.read(client)).all.filter(
    ({ verbs }) => verbs.includes('list') && verbs.includes('delete'),
  )
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      try {
        const objects = await listMetadata(client, kind)
        const marked = objects.filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
        const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`
        return marked.map((object) => ({ ...object, apiVersion, kind: kind.kind }) as ApiObject)
      } catch (error) {
        if (isStatusError(error)) return []
        throw error
      }
    }),
  )
  return uniqueByUid(lists.flat()).filter(({ metadata }) => (metadata.finalizers ?? []).length > 0)
}

/** A resource in several versions is listed once for each. */
function uniqueByUid(objects: readonly ApiObject[]): ApiObject[] {
  return [...new Map(objects.map((object) => [object.metadata.uid, object])).values()]
}

async function mended(client: Client, finding: Finding, clock: Clock): Promise<Finding> {
  const { fix } = finding
  if (fix === undefined) return finding
  return fix.kind === 'remove-executor' ? removed(client, fix) : reconciled(client, fix, clock)
}

async function removed(client: Client, { namespace, name }: Fix): Promise<Finding> {
  await deleteObject(client, EXECUTORS, namespace, name)
  return { level: 'FIXED', text: `executor ${place(namespace, name)} was lost and is deleted` }
}

/** Fixed when there is a Process, or the resource is reconciled: the colony may not be able to make one. */
async function reconciled(
  client: Client,
  { of, namespace, name }: Extract<Fix, { kind: 'reconcile' }>,
  clock: Clock,
): Promise<Finding> {
  const request = `force-${new Date(clock.now()).toISOString()}`
  await patchObject(client, of, { namespace, name }, { metadata: { annotations: { [RECONCILE_ANNOTATION]: request } } })
  const what = `${of.kind} ${place(namespace, name)}`
  for (let tries = 0; tries < TRIES; tries++) {
    const object = await findObject<ApiObject>(client, of, namespace, name)
    if (object === undefined || (await isHandled(client, object, request)))
      return { level: 'FIXED', text: `${what} was handed to its handler again` }
    await pause(clock, PAUSE_MS, new AbortController().signal)
  }
  const why = await lastWarning(client, of.kind, namespace, name)
  return {
    level: 'ERROR',
    text: `${what}: its handler was asked again, but there is no Process for it; ${why ?? "the server's log says why"}`,
  }
}

async function isHandled(client: Client, object: ApiObject, request: string): Promise<boolean> {
  if (object.metadata.annotations?.[RECONCILE_ANNOTATION] === request) return false
  if (!isUnreconciled(object)) return true
  const selection = { namespace: colonyOf(object), labelSelector: `${RESOURCE_LABELS.uid}=${object.metadata.uid}` }
  return (await listObjects(client, PROCESSES, selection)).length > 0
}

async function lastWarning(client: Client, kind: string, namespace: string, name: string): Promise<string | undefined> {
  const fieldSelector = `involvedObject.kind=${kind},involvedObject.name=${name},type=Warning`
  const selection = { namespace: namespace === '' ? 'default' : namespace, fieldSelector }
  const events = await listObjects<Warning>(client, EVENTS, selection)
  const at = ({ lastTimestamp, eventTime }: Warning) => Date.parse(lastTimestamp ?? eventTime ?? '') || 0
  return events.toSorted((a, b) => at(b) - at(a))[0]?.message
}
