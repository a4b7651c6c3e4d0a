// Names the schema of a kind in OpenAPI documents. Clients and generators know built-in kinds by these names.

export const META_PREFIX = 'io.k8s.apimachinery.pkg.apis.meta.v1.'
export const SCALE = 'io.k8s.api.autoscaling.v1.Scale'

const PREFIXES: ReadonlyMap<string, string> = new Map([
  ['', 'io.k8s.api.core'],
  ['apiextensions.k8s.io', 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions'],
  ['apiregistration.k8s.io', 'io.k8s.kube-aggregator.pkg.apis.apiregistration'],
  ['internal.apiserver.k8s.io', 'io.k8s.api.apiserverinternal'],
])

/** A custom kind is named after its reversed group: `com.example.facts.v1.Gadget`. */
export function componentName(group: string, version: string, kind: string, custom: boolean): string {
  if (custom) return `${group.split('.').reverse().join('.')}.${version}.${kind}`
  const prefix = PREFIXES.get(group) ?? `io.k8s.api.${group.split('.')[0]}`
  return `${prefix}.${version}.${kind}`
}

export function metaName(name: string): string {
  return META_PREFIX + name
}

export function ref(component: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${component}` }
}

/** A reference with a description: OpenAPI ignores siblings of a bare `$ref`. */
export function describedRef(component: string, description: string): Record<string, unknown> {
  return { description, allOf: [ref(component)] }
}
