// The Services of an operator that answers for its kinds: the API server reaches its webhooks by them, and the Deployment says so to
// the program. Pure.

import type { RunDescription } from '@homeostat/operator/host'
import { isReachable } from './health-port.ts'
import { labelsOf, type Placement } from './labels.ts'

/** Names of Services have at most 63 characters. */
const MAX_NAME = 63
const SUFFIX = '-webhooks'

/** The webhooks of one run that a Service can lead to. */
export interface ServedWebhooks {
  /** Of the container's port. */
  readonly portName: string
  readonly port: number
  readonly service: { readonly namespace: string; readonly name: string; readonly port: number }
  /** Whether the program has to be told the Service. */
  readonly isTold: boolean
}

export function servedWebhooks(runs: readonly RunDescription[], at: Placement): ServedWebhooks[] {
  return runs
    .flatMap(({ webhooks }) => (webhooks !== undefined && isReachable(webhooks) ? [webhooks] : []))
    .map(({ port, service }, index) => ({
      portName: index === 0 ? 'webhooks' : `webhooks-${index + 1}`,
      port,
      service: { namespace: at.namespace, name: serviceName(at), port: 443, ...service },
      isTold: service === undefined,
    }))
}

function serviceName({ name }: Placement): string {
  const cut = name.slice(0, MAX_NAME - SUFFIX.length).replace(/-+$/, '')
  // Names of Services begin with a letter, those of Deployments may begin with a digit.
  return /^[a-z]/.test(cut) ? cut + SUFFIX : `o-${cut}`.slice(0, MAX_NAME - SUFFIX.length) + SUFFIX
}

export function serviceManifests(runs: readonly RunDescription[], at: Placement): object[] {
  const labels = labelsOf(at)
  return servedWebhooks(runs, at).map(({ portName, service: { namespace, name, port } }) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, labels },
    spec: { selector: labels, ports: [{ name: 'webhooks', port, targetPort: portName }] },
  }))
}

/** The variables of the container. The namespace is the Pod's, so that an overlay may move the operator. */
export function webhookVariables(served: readonly ServedWebhooks[]): object[] {
  const told = served.find(({ isTold }) => isTold)
  if (told === undefined) return []
  return [
    { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
    { name: 'HOMEOSTAT_OPERATOR_SERVICE', value: `$(POD_NAMESPACE)/${told.service.name}` },
  ]
}
