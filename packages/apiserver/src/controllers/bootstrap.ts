// The namespaces that are there from the start. Called once, before the server listens.

import { isStatusError } from '@homeostat/meta'
import { SYSTEM_NAMESPACES } from '../builtin/namespace.ts'
import type { Api } from '../registry/api.ts'

const NAMESPACES = { group: '', resource: 'namespaces' } as const

/**
 * Creates what is missing; the namespace strategy fills in label, finalizer and phase. It does not read first: one
 * that exists but cannot be read must not keep the server from starting.
 */
export async function bootstrap(api: Api): Promise<void> {
  await Promise.all(SYSTEM_NAMESPACES.map((name) => createNamespace(api, name)))
}

async function createNamespace(api: Api, name: string): Promise<void> {
  try {
    await api.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  } catch (error) {
    if (!isStatusError(error, 'AlreadyExists')) throw error
  }
}
