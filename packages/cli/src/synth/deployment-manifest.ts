// The Deployment of an operator. Pure. Its Pod keeps to the restricted Pod security standard.

import type { RunDescription } from '@homeostat/operator/host'
import { healthPort } from './health-port.ts'
import { labelsOf, type Placement } from './labels.ts'
import { servedWebhooks, webhookVariables } from './webhook-service.ts'

/** The user `node` of the official images; a number, since the kubelet cannot check a name. */
const USER = 1000
/** Time beyond the operator's own shutdown, before its process is killed. */
const GRACE_SECONDS = 20

export interface DeploymentOptions extends Placement {
  readonly image: string
}

export function deploymentManifest(runs: readonly RunDescription[], options: DeploymentOptions): object {
  const { name, namespace } = options
  const labels = labelsOf(options)
  // Two processes may work at once only if they have a leader or shards, or a colony assigns each object to one of them.
  const shares = runs.every((run) => run.leaderElection || run.shards || run.executorType !== undefined)
  const standsBy = shares && runs.some((run) => run.leaderElection || run.shards)
  const shutdownMs = Math.max(...runs.map((run) => run.shutdownMs))
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels },
    spec: {
      replicas: standsBy ? 2 : 1,
      ...(!shares && { strategy: { type: 'Recreate' } }),
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: name,
          automountServiceAccountToken: true,
          terminationGracePeriodSeconds: Math.ceil(shutdownMs / 1000) + GRACE_SECONDS,
          securityContext: { runAsNonRoot: true, runAsUser: USER, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [container(runs, options)],
        },
      },
    },
  }
}

function container(runs: readonly RunDescription[], options: DeploymentOptions): object {
  const port = healthPort(runs)
  const webhooks = servedWebhooks(runs, options)
  const env = webhookVariables(webhooks)
  const ports = [
    ...(port === undefined ? [] : [{ name: 'health', containerPort: port }]),
    ...webhooks.map((one) => ({ name: one.portName, containerPort: one.port })),
  ]
  const probe = (path: string) => ({ httpGet: { path, port: 'health' } })
  return {
    name: 'operator',
    image: options.image,
    ...(env.length > 0 && { env }),
    ...(ports.length > 0 && { ports }),
    ...(port !== undefined && {
      livenessProbe: { ...probe('/healthz'), periodSeconds: 20 },
      readinessProbe: { ...probe('/readyz'), periodSeconds: 5 },
    }),
    resources: { requests: { cpu: '50m', memory: '128Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
  }
}
