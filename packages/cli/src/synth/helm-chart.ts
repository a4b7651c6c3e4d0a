// The files of a Helm chart that `synth --helm` writes: what a Kustomize overlay would change are values here. Pure.

import type { RunDescription } from '@homeostat/operator/host'
import { deploymentManifest } from './deployment-manifest.ts'
import { MARK, serviceAccount, yamlOf } from './manifest-files.ts'
import { rbacManifests } from './rbac-manifests.ts'
import { serviceManifests } from './webhook-service.ts'

export interface ChartOptions {
  readonly name: string
  readonly version: string
  readonly image: string
}

/** Stands for the release's namespace while the manifests are made; a valid name that nobody has. */
const NAMESPACE = 'namespace-of-the-helm-release'
/** Fields of the Pod that are there only if a value says so. */
const OPTIONAL = ['imagePullSecrets', 'nodeSelector', 'tolerations', 'affinity'] as const

/** Texts by path in the chart's folder. */
export function chartFiles(
  runs: readonly RunDescription[],
  { name, version, image }: ChartOptions,
): Map<string, string> {
  const at = { name, namespace: NAMESPACE, image }
  const deployment = deploymentManifest(runs, at) as DeploymentParts
  const chart = {
    apiVersion: 'v2',
    name,
    description: `The operator ${name}.`,
    type: 'application',
    version: chartVersion(version),
    appVersion: version,
  }
  const services = serviceManifests(runs, at)
  const files: [string, string][] = [
    ['Chart.yaml', yamlOf(chart)],
    ['values.yaml', yamlOf(valuesOf(deployment, image))],
    ...runs
      .flatMap((run) => run.definitions)
      .map((one): [string, string] => [`crds/${one.metadata.name}.yaml`, yamlOf(one)])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
    ['templates/service-account.yaml', template([serviceAccount(at)])],
    ['templates/rbac.yaml', template(rbacManifests(runs, at))],
    ...(services.length > 0 ? [['templates/service.yaml', template(services)] satisfies [string, string]] : []),
    ['templates/deployment.yaml', template([withValues(deployment)])],
  ]
  return new Map(files.map(([path, text]) => [path, `${MARK}\n${text}`]))
}

/** Helm takes only SemVer. */
function chartVersion(version: string): string {
  return /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/.test(version) ? version : '0.0.0'
}

interface DeploymentParts {
  readonly spec: {
    readonly replicas: number
    readonly template: { readonly spec: { readonly containers: readonly { readonly resources: object }[] } }
  }
}

function valuesOf({ spec }: DeploymentParts, image: string): object {
  return {
    image,
    replicas: spec.replicas,
    resources: spec.template.spec.containers[0]?.resources ?? {},
    imagePullSecrets: [],
    nodeSelector: {},
    tolerations: [],
    affinity: {},
  }
}

/** A word that becomes an expression of the template; no text of an author is like it. */
const placeholder = (value: string, how: 'plain' | 'block' | 'optional') => `helm-value-${how}-${value}`

function withValues(deployment: DeploymentParts): object {
  const { template, ...rest } = deployment.spec
  const { containers, ...pod } = template.spec
  const valued = containers.map((container) => ({
    ...container,
    image: placeholder('image', 'plain'),
    resources: placeholder('resources', 'block'),
  }))
  const optional = Object.fromEntries(OPTIONAL.map((name) => [name, placeholder(name, 'optional')]))
  return {
    ...deployment,
    spec: {
      ...rest,
      replicas: placeholder('replicas', 'plain'),
      template: { ...template, spec: { ...pod, ...optional, containers: valued } },
    },
  }
}

/** Braces of an author's texts stay what they are. */
function template(objects: readonly object[]): string {
  return objects
    .map(yamlOf)
    .join('---\n')
    .replaceAll('{{', '{{ "{{" }}')
    .replaceAll(NAMESPACE, '{{ .Release.Namespace }}')
    .replace(/^( *)(\S+): helm-value-optional-(\w+)$/gm, optionalBlock)
    .replace(/^( *)(\S+): helm-value-block-(\w+)$/gm, (_, indent: string, key: string, value: string) =>
      [`${indent}${key}:`, `${indent}  {{- toYaml .Values.${value} | nindent ${indent.length + 2} }}`].join('\n'),
    )
    .replace(/helm-value-plain-(\w+)/g, '{{ .Values.$1 }}')
}

function optionalBlock(_: string, indent: string, key: string, value: string): string {
  return [
    `${indent}{{- with .Values.${value} }}`,
    `${indent}${key}:`,
    `${indent}  {{- toYaml . | nindent ${indent.length + 2} }}`,
    `${indent}{{- end }}`,
  ].join('\n')
}
