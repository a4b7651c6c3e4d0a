// Short names for the types of the API: `core.v1.Pod` for what OpenAPI calls io.k8s.api.core.v1.Pod.

const PREFIXES = [
  'io.k8s.apiextensions-apiserver.pkg.apis.',
  'io.k8s.apimachinery.pkg.apis.',
  'io.k8s.kube-aggregator.pkg.apis.',
  'io.k8s.api.',
]
const REFERENCE = '#/components/schemas/'

export function shortName(component: string): string {
  const prefix = PREFIXES.find((candidate) => component.startsWith(candidate))
  if (prefix === undefined) throw new Error(`the type ${component} has no short name`)
  return component.slice(prefix.length)
}

export function referred(reference: string): string {
  if (!reference.startsWith(REFERENCE)) throw new Error(`${reference} refers to nothing known`)
  return reference.slice(REFERENCE.length)
}
