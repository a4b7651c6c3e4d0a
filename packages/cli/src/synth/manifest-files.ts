// The files that `synth` writes: a Kustomize base. Pure: equal descriptions give equal texts.

import type { RunDescription } from '@homeostat/operator/host'
import { Document, type Node, YAMLSeq } from 'yaml'
import { type DeploymentOptions, deploymentManifest } from './deployment-manifest.ts'
import { labelsOf, type Placement } from './labels.ts'
import { type CommentedRule, rbacManifests } from './rbac-manifests.ts'
import { serviceManifests } from './webhook-service.ts'

export interface ManifestOptions extends DeploymentOptions {
  /** Whether the namespace is part of the manifests. */
  readonly withNamespace: boolean
}

/** The first line of each file: it marks the files that `synth` may replace and delete. */
export const MARK = '# Written by `homeostat synth`. Change the program, or patch it in an overlay.'

/** Texts by file name. */
export function manifestFiles(runs: readonly RunDescription[], options: ManifestOptions): Map<string, string> {
  const definitions = runs.flatMap((run) => run.definitions).map((one) => [`${one.metadata.name}.yaml`, [one]] as const)
  const services = serviceManifests(runs, options)
  const parts: (readonly [string, readonly object[]])[] = [
    ...(options.withNamespace ? [['namespace.yaml', [namespaceManifest(options)]] as const] : []),
    ...definitions.toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ['service-account.yaml', [serviceAccount(options)]],
    ['rbac.yaml', rbacManifests(runs, options)],
    ...(services.length > 0 ? [['service.yaml', services] as const] : []),
    ['deployment.yaml', [deploymentManifest(runs, options)]],
  ]
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: parts.map(([name]) => name),
  }
  const files = [...parts, ['kustomization.yaml', [kustomization]] as const]
  return new Map(files.map(([name, objects]) => [name, `${MARK}\n${objects.map(yamlOf).join('---\n')}`]))
}

function namespaceManifest(at: Placement): object {
  const labels = { ...labelsOf(at), 'pod-security.kubernetes.io/enforce': 'restricted' }
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: at.namespace, labels } }
}

/** Its token is mounted only by the Pod that asks for it. */
export function serviceAccount(at: Placement): object {
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: at.name, namespace: at.namespace, labels: labelsOf(at) },
    automountServiceAccountToken: false,
  }
}

/** For Kubernetes, which reads a bare `on` or `no` as YAML 1.1 does. */
const FORM = { version: '1.1', aliasDuplicateObjects: false } as const

export function yamlOf(object: object): string {
  const { rules, ...rest } = object as { rules?: readonly CommentedRule[] }
  const document = new Document(rules === undefined ? rest : { ...rest, rules: [] }, FORM)
  if (rules !== undefined) {
    const list = new YAMLSeq<Node>(document.schema)
    for (const { rule, comment } of rules) {
      const node = document.createNode(rule, FORM) as Node
      node.commentBefore = ` ${comment}`
      list.items.push(node)
    }
    document.set('rules', list)
  }
  return document.toString({ lineWidth: 0 })
}
