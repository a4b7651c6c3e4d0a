// The defaults of every namespace: the service account `default` and the ConfigMap with the server's certificates.

import type { KubeObject } from '@homeostat/meta'
import type { ResourceName } from '../registry/api.ts'

export const ACCOUNTS: ResourceName = { group: '', resource: 'serviceaccounts' }
export const CONFIG_MAPS: ResourceName = { group: '', resource: 'configmaps' }
export const ACCOUNT = 'default'
export const CERTIFICATES = 'kube-root-ca.crt'
/** The ConfigMap from which extension servers learn how to verify clients, and its field with the authorities. */
export const AUTHENTICATION = { name: 'extension-apiserver-authentication', namespace: 'kube-system' }
export const CLIENT_CA = 'client-ca-file'
export const DESCRIPTION = 'kubernetes.io/description'
const DESCRIPTION_TEXT =
  'Certificates of the authority of this API server, for clients that reach it from inside the cluster.'

export function defaultAccount(namespace: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: ACCOUNT, namespace } }
}

/** `caBundle` is PEM. */
export function certificates(namespace: string, caBundle: string) {
  const metadata = { name: CERTIFICATES, namespace, annotations: { [DESCRIPTION]: DESCRIPTION_TEXT } }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'ca.crt': caBundle } } satisfies KubeObject
}
