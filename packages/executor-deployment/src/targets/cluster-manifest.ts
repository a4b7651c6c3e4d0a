// Builds the Deployment of an ExecutorDeployment in a cluster. Pure.

import type { DeploymentSpec } from '../spec/deployment-spec.ts'
import { colonyEnv, templateHash } from './executor-unit.ts'
import { deploymentName, HASH_LABEL, type Owner, UID_LABEL } from './unit-identity.ts'

/** Names of pods are made of it. */
const LONGEST_NAME = 40

export function clusterName(owner: Owner): string {
  return deploymentName(owner, LONGEST_NAME)
}

export function clusterNamespace(owner: Owner, { placement }: DeploymentSpec): string {
  return placement.namespace ?? owner.namespace
}

export function clusterManifest(owner: Owner, spec: DeploymentSpec, server: string | undefined) {
  const { image, command, pullPolicy, placement } = spec
  const { nodeSelector, tolerations, resources, podVolumes = [], volumeMounts = [] } = placement
  const env = { ...colonyEnv(owner, spec, undefined, server), ...spec.env }
  const hostVolumes = spec.volumes.map(({ source }, index) => ({ name: `volume-${index}`, hostPath: { path: source } }))
  const hostMounts = spec.volumes.map(({ target, readOnly }, index) => ({
    name: `volume-${index}`,
    mountPath: target,
    ...(readOnly !== undefined && { readOnly }),
  }))
  const volumes = [...hostVolumes, ...podVolumes]
  const mounts = [...hostMounts, ...volumeMounts]
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: clusterName(owner),
      namespace: clusterNamespace(owner, spec),
      labels: { [UID_LABEL]: owner.uid },
      annotations: { 'colonies.io/executor-deployment': `${owner.namespace}/${owner.name}` },
    },
    spec: {
      replicas: spec.replicas,
      selector: { matchLabels: { [UID_LABEL]: owner.uid } },
      template: {
        metadata: { labels: { [UID_LABEL]: owner.uid, [HASH_LABEL]: templateHash(spec) } },
        spec: {
          containers: [
            {
              name: 'executor',
              image,
              env: [
                ...Object.entries(env).map(([name, value]) => ({ name, value })),
                ...(env.COLONIES_EXECUTOR_NAME === undefined ? [NAME_OF_POD] : []),
              ],
              ...(command && { command }),
              ...(pullPolicy && { imagePullPolicy: pullPolicy }),
              ...(resources && { resources }),
              ...(mounts.length > 0 && { volumeMounts: mounts }),
            },
          ],
          ...(spec.pullSecrets.length > 0 && { imagePullSecrets: spec.pullSecrets.map((name) => ({ name })) }),
          ...(nodeSelector && { nodeSelector }),
          ...(tolerations && { tolerations }),
          ...(volumes.length > 0 && { volumes }),
        },
      },
    },
  }
}

const NAME_OF_POD = { name: 'COLONIES_EXECUTOR_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }
