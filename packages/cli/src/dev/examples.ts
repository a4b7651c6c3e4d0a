// Applies the examples of a project, as `kubectl apply --server-side` would, and says for each what became of it.

import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import type { ApiObject, Client } from '@homeostat/client'
import { type Document, readDocuments } from '../access/documents.ts'
import { faultOf, isNotServed } from '../access/failure.ts'
import { Fault } from '../fault.ts'
import type { Terminal } from '../terminal.ts'
import { objectName } from './log-entry.ts'

export interface AppliedExample {
  /** E.g. `Site default/blog`. */
  readonly object: string
  readonly outcome: 'created' | 'configured' | 'unchanged' | 'failed'
  readonly error?: string
}

/** The manager of `homeostat apply`, so that both own the same fields. */
const FIELD_MANAGER = 'homeostat'

/** Throws a Fault if the folder cannot be read. */
export async function applyExamples(
  folder: string,
  { client, url, namespace }: { readonly client: Client; readonly url: string; readonly namespace: string },
  terminal: Terminal,
): Promise<AppliedExample[]> {
  const shown = relative('', folder)
  if (!existsSync(folder)) throw new Fault(`there is no folder ${shown}; put objects as YAML or JSON files there`)
  const applied: AppliedExample[] = []
  for (const document of await readDocuments(folder, 'dev', terminal)) {
    try {
      applied.push(await applyOne(client, document, namespace))
    } catch (error) {
      const fault = isNotServed(error) ? notServed(document) : faultOf(error, url)
      if (!(fault instanceof Fault)) throw fault
      const { kind, metadata } = document
      const object = objectName(kind, metadata.namespace, metadata.name) ?? kind
      applied.push({ object, outcome: 'failed', error: fault.message })
    }
  }
  return applied
}

async function applyOne(client: Client, document: Document, namespace: string): Promise<AppliedExample> {
  const { apiVersion, kind, metadata } = document
  const resource = client.resourceOf<ApiObject>(apiVersion, kind)
  const { namespaced } = await resource.info()
  const placed = namespaced ? { ...document, metadata: { namespace, ...metadata } } : document
  const { name = '', namespace: place } = placed.metadata
  const before = await resource.find(place === undefined ? { name } : { name, namespace: place })
  const after = await resource.apply(placed, { fieldManager: FIELD_MANAGER, force: true })
  const isSame = before?.metadata.resourceVersion === after.metadata.resourceVersion
  return {
    object: objectName(kind, after.metadata.namespace, name) ?? kind,
    outcome: before === undefined ? 'created' : isSame ? 'unchanged' : 'configured',
  }
}

function notServed({ apiVersion, kind }: Document): Fault {
  return new Fault(`the server does not know the kind ${kind} of ${apiVersion}; the operator installs its own kinds`)
}
