// CustomResourceDefinitions for tests. Widget uses most features; `definition` makes others.

interface Shape {
  readonly plural?: string
  readonly kind?: string
  readonly group?: string
  readonly scope?: string
  readonly names?: object
  readonly annotations?: Record<string, string>
  readonly versions?: readonly object[]
  /** The properties of spec, for definitions of one version. */
  readonly spec?: object
  readonly version?: object
}

export const GROUP = 'example.com'

export function definition(shape: Shape = {}): object {
  const { plural = 'widgets', group = GROUP, scope = 'Namespaced', annotations } = shape
  const kind = shape.kind ?? `${plural[0]?.toUpperCase()}${plural.slice(1, -1)}`
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, ...(annotations && { annotations }) },
    spec: {
      group,
      scope,
      names: { plural, kind, ...shape.names },
      versions: shape.versions ?? [version('v1', { storage: true, spec: shape.spec ?? {}, ...shape.version })],
    },
  }
}

export function version(
  name: string,
  { spec = {}, root = {}, ...more }: { spec?: object; root?: object; [field: string]: unknown },
): object {
  const properties = {
    spec: { type: 'object', properties: spec },
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    ...root,
  }
  return {
    name,
    served: true,
    storage: false,
    schema: { openAPIV3Schema: { type: 'object', properties } },
    ...more,
  }
}

const integer = { type: 'integer' }
const text = { type: 'string' }

/** Namespaced, with status and scale. */
export const widgets = definition({
  plural: 'widgets',
  names: { shortNames: ['wd'], categories: ['all'] },
  spec: {
    size: integer,
    replicas: { type: 'integer', minimum: -5, default: 1 },
    color: { type: 'string', enum: ['red', 'green', 'blue'] },
    note: { type: 'string', nullable: true },
    big: { type: 'integer', format: 'int64' },
    parts: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', required: ['name'], properties: { name: text, count: integer } },
    },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    either: { 'x-kubernetes-int-or-string': true },
  },
  version: {
    additionalPrinterColumns: [
      { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
      { name: 'Color', type: 'string', jsonPath: '.spec.color', priority: 1 },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ],
    subresources: {
      status: {},
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
    },
  },
})

/** Namespaced, without subresources, keeps everything under spec. */
export const notes = definition({
  plural: 'notes',
  versions: [
    {
      ...version('v1', { storage: true }),
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      },
    },
  ],
})

/** Cluster-scoped. */
export const planets = definition({ plural: 'planets', scope: 'Cluster', spec: { size: integer } })

export const WIDGETS = `/apis/${GROUP}/v1/namespaces/default/widgets`
export const NOTES = `/apis/${GROUP}/v1/namespaces/default/notes`
export const PLANETS = `/apis/${GROUP}/v1/planets`

export function widget(name: string, spec: object = {}, metadata: object = {}): object {
  return { apiVersion: `${GROUP}/v1`, kind: 'Widget', metadata: { name, ...metadata }, spec }
}

export function note(name: string, spec: object = {}, metadata: object = {}): object {
  return { apiVersion: `${GROUP}/v1`, kind: 'Note', metadata: { name, ...metadata }, spec }
}

export function planet(name: string, spec: object = {}): object {
  return { apiVersion: `${GROUP}/v1`, kind: 'Planet', metadata: { name }, spec }
}

export function namespace(name: string): object {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
}

export function configMap(name: string, data: Record<string, string> = {}, metadata: object = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data }
}

export const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'

export function secret(name: string, data: Record<string, string> = {}, metadata: object = {}): object {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, ...metadata }, data }
}

/** Empty at first, unlike config maps. */
export const SECRETS = '/api/v1/namespaces/default/secrets'
