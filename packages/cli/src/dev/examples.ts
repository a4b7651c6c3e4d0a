// Applies the examples of a project, as `kubectl apply --server-side` would. An object whose kind is not served yet waits
// for it: the operator may be starting, or the definition may be among the examples.

import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ApiObject, Client } from '@homeostat/client'
import { type Document, readDocuments } from '../access/documents.ts'
import { faultOf, isNotServed } from '../access/failure.ts'
import { Fault } from '../fault.ts'
import type { Terminal } from '../terminal.ts'
import { objectName } from './log-entry.ts'

export interface ExamplesOptions {
  readonly client: Client
  readonly url: string
  /** Where objects without a namespace go. */
  readonly namespace: string
  readonly terminal: Terminal
  /** Ends the waiting. */
  readonly signal: AbortSignal
  /** Called once for each kind that is waited for. */
  onWait(kind: string): void
}

export interface AppliedExample {
  /** E.g. `Site default/blog`. */
  readonly object: string
  readonly outcome: 'created' | 'configured' | 'unchanged' | 'failed'
  readonly error?: string
}

/** The manager of `homeostat apply`, so that both own the same fields. */
const FIELD_MANAGER = 'homeostat'
const LOOK_AGAIN_MS = 100
const PATIENCE_MS = 30_000

/** Throws a Fault if the folder cannot be read. */
export async function applyExamples(folder: string, options: ExamplesOptions): Promise<AppliedExample[]> {
  const shown = relative('', folder)
  if (!existsSync(folder)) throw new Fault(`there is no folder ${shown}; put objects as YAML or JSON files there`)
  const applied: AppliedExample[] = []
  const end = performance.now() + PATIENCE_MS
  for (const { object } of await readDocuments(folder, 'dev', options.terminal)) {
    applied.push(await applyInTime(object, options, end))
  }
  return applied
}

async function applyInTime(document: Document, options: ExamplesOptions, end: number): Promise<AppliedExample> {
  const { client, url, namespace, signal } = options
  const { apiVersion, kind, metadata } = document
  for (let tries = 0; ; tries++) {
    try {
      return await applyOne(client, document, namespace)
    } catch (error) {
      const isEarly = isNotServed(error) && performance.now() < end && !signal.aborted
      if (!isEarly) {
        const fault = isNotServed(error) ? new Fault(`nothing defines ${kind} in ${apiVersion}`) : faultOf(error, url)
        if (!(fault instanceof Fault)) throw fault
        const object = objectName(kind, metadata.namespace, metadata.name) ?? kind
        return { object, outcome: 'failed', error: fault.message }
      }
    }
    if (tries === 0) options.onWait(kind)
    await pause(LOOK_AGAIN_MS, undefined, { signal }).catch(() => {})
  }
}

async function applyOne(client: Client, document: Document, namespace: string): Promise<AppliedExample> {
  const { apiVersion, kind, metadata } = document
  const resource = client.resourceOf<ApiObject>(apiVersion, kind)
  const { namespaced } = await resource.info()
  const placed = namespaced ? { ...document, metadata: { namespace, ...metadata } } : document
  const { name = '', namespace: place } = placed.metadata
  const before = await resource.find(place === undefined ? { name } : { name, namespace: place })
  const after = await resource.apply(placed, {
    fieldManager: FIELD_MANAGER,
    force: true,
    fieldValidation: 'Strict',
  })
  const isSame = before?.metadata.resourceVersion === after.metadata.resourceVersion
  return {
    object: objectName(kind, after.metadata.namespace, name) ?? kind,
    outcome: before === undefined ? 'created' : isSame ? 'unchanged' : 'configured',
  }
}
