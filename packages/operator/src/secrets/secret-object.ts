// The Secret object of the API, and what its writers need of a cluster.

import type { ApiObject, ResourceClient, Sent } from '@homeostat/client'
import type { OwnerReference } from '@homeostat/meta'
import type { Cluster } from '../runtime/cluster.ts'
import { encodeValues, type SecretValues } from './secret-values.ts'

export interface SecretObject extends ApiObject {
  data?: Record<string, string>
  type?: string
}

/** The part of a cluster that writing a Secret needs. */
export type SecretCluster = Pick<Cluster, 'client' | 'fieldManager' | 'read' | 'wrote'>

export interface SecretName {
  readonly name: string
  readonly namespace: string
}

/** What a new Secret gets beside its values. An existing Secret is not changed for it. */
export interface SecretTraits {
  /** The Secret is deleted with these owners. */
  readonly owners?: readonly OwnerReference[] | undefined
  readonly labels?: Readonly<Record<string, string>> | undefined
  readonly annotations?: Readonly<Record<string, string>> | undefined
  /** Default Opaque. */
  readonly type?: string | undefined
}

export function secretRef({ name, namespace }: SecretName) {
  return { apiVersion: 'v1', kind: 'Secret', name, namespace } as const
}

export function secretAccess(cluster: SecretCluster): ResourceClient<SecretObject> {
  return cluster.client.resourceOf<SecretObject>('v1', 'Secret')
}

export function newSecret(name: SecretName, values: SecretValues, traits: SecretTraits): Sent<SecretObject> {
  const { owners, labels, annotations, type } = traits
  const metadata = {
    name: name.name,
    namespace: name.namespace,
    ...(labels && { labels: { ...labels } }),
    ...(annotations && { annotations: { ...annotations } }),
    ...(owners && { ownerReferences: [...owners] }),
  }
  return { apiVersion: 'v1', kind: 'Secret', metadata, data: encodeValues(values), ...(type && { type }) }
}
