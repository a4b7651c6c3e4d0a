// Sends one object of a file as a server-side apply, for `apply` and `diff`.

import { pause, systemClock } from '@homeostat/base'
import type { ApiObject, Client } from '@homeostat/client'
import { isStatusError } from '@homeostat/meta'
import type { Document } from '../../access/documents.ts'
import { findObject } from '../../access/objects.ts'
import { type ServedKind, servedKind } from '../../access/served-kinds.ts'
import type { Session } from '../../access/session.ts'
import { Fault } from '../../fault.ts'
import type { Terminal } from '../../terminal.ts'
import { namespaceOf } from '../namespace-of.ts'
import { noSuchKind } from './references.ts'

export interface Applying {
  readonly session: Session
  readonly terminal: Terminal
  readonly values: {
    readonly namespace?: string | undefined
    readonly 'field-manager': string
    readonly 'force-conflicts': boolean
    readonly validate?: 'strict' | 'warn' | 'ignore'
  }
  /** With `client` nothing is sent, and what would come of it is computed here. */
  readonly dryRun: 'none' | 'server' | 'client'
  /** How long a kind may take to be served, in milliseconds. */
  readonly patience?: number
}

export interface Applied {
  readonly kind: ServedKind
  readonly namespace: string | undefined
  readonly before: ApiObject | undefined
  readonly after: ApiObject
}

const VALIDATION = { strict: 'Strict', warn: 'Warn', ignore: 'Ignore' } as const
const LOOK_AGAIN_MS = 200

export async function sendApply(document: Document, applying: Applying): Promise<Applied> {
  const { session, terminal, values, dryRun } = applying
  const { name } = document.metadata
  if (name === undefined) throw new Fault('cannot use generate name with apply')
  const kind = await kindOf(session.client, document, applying.patience ?? 0)
  const namespace = kind.namespaced ? namespaceOf(document, values, session, terminal) : undefined
  const before = await findObject(session.client, kind, namespace ?? '', name)
  const object = { ...document, metadata: { ...document.metadata, ...(namespace !== undefined && { namespace }) } }
  if (dryRun === 'client') return { kind, namespace, before, after: merged(before, object) as ApiObject }
  const objects = session.client.resourceOf<ApiObject>(document.apiVersion, document.kind)
  try {
    const after = await objects.apply(object as object, {
      fieldManager: values['field-manager'],
      force: values['force-conflicts'],
      fieldValidation: VALIDATION[values.validate ?? 'strict'],
      dryRun: dryRun === 'server',
    })
    return { kind, namespace, before, after }
  } catch (error) {
    throw isStatusError(error, 'Conflict') ? conflictFault(error.message) : error
  }
}

/** The fields of the file over those of the object. Lists are replaced, since only the server knows how they merge. */
function merged(before: unknown, sent: unknown): unknown {
  if (!isFields(before) || !isFields(sent)) return sent
  const fields = Object.entries(sent).map(([name, value]) => [name, merged(before[name], value)])
  return { ...before, ...Object.fromEntries(fields) }
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The discovery of Kubernetes follows a definition that is established only after a moment. */
async function kindOf(client: Client, document: Document, patience: number): Promise<ServedKind> {
  const end = systemClock.now() + patience
  for (;;) {
    const info = await client.discover(document.apiVersion, document.kind)
    if (info !== undefined) return servedKind(info)
    if (systemClock.now() >= end) throw noSuchKind(document)
    await pause(systemClock, LOOK_AGAIN_MS, new AbortController().signal)
  }
}

function conflictFault(message: string): Fault {
  const advice =
    'Others manage these fields. Leave them out of the file, or give them the values that they have, ' +
    'or take them over with --force-conflicts.'
  return new Fault(`${message}\n${advice}`)
}
