// Names for types: those of components, and of objects that are written inside of others. Pure.

/** Names that generated files use themselves. */
const RESERVED = new Set(['KnownKinds', 'ObjectMeta', 'Record'])

/** The last part of a component's name, such as `DeploymentSpec`. */
export function shortName(component: string): string {
  return pascal(component.slice(component.lastIndexOf('.') + 1))
}

/**
 * A name for each component, in order. Two of the same short name both take their version and group along, e.g.
 * `CoreV1Event` and `EventsV1Event`, so that no name depends on which of them comes first.
 */
export function componentNames(components: readonly string[]): Map<string, string> {
  const sharing = Map.groupBy(components, shortName)
  return new Map(
    components.map((component) => {
      const short = shortName(component)
      const free = sharing.get(short)?.length === 1 && !RESERVED.has(short)
      return [component, free ? short : longName(component)]
    }),
  )
}

/** Groups are written backwards in components: `dev.example.v1.Site`; those of Kubernetes as `io.k8s.api.core.v1.Pod`. */
function longName(component: string): string {
  const [kind = '', version = '', group = ''] = component.split('.').toReversed()
  return pascal(group) + pascal(version) + pascal(kind)
}

/** The name of an object that is written at a field of another. */
export function innerName(outer: string, field: string, inList: boolean): string {
  return outer + pascal(inList ? singular(field) : field)
}

function singular(field: string): string {
  if (/ies$/.test(field)) return field.replace(/ies$/, 'y')
  if (/(ss|sh|ch|x)es$/.test(field)) return field.slice(0, -2)
  return /[^siu]s$/.test(field) ? field.slice(0, -1) : `${field}Item`
}

function pascal(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return /^[A-Za-z]/.test(name) ? name : `T${name}`
}
