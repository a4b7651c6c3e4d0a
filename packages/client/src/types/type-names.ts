// Chooses type names for components and for the objects nested in them. Pure.

/** Names that generated files use for other things. */
const RESERVED = new Set(['KnownKinds', 'ObjectMeta', 'Record'])

/** The last part of a component's name, such as `DeploymentSpec`. */
export function shortName(component: string): string {
  return pascal(component.slice(component.lastIndexOf('.') + 1))
}

/**
 * A name for each component, in order. Two with the same short name both get their version and group, e.g.
 * `CoreV1Event` and `EventsV1Event`, so that no name depends on the order.
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

/** Component names hold the group reversed: `dev.example.v1.Site`; those of Kubernetes are `io.k8s.api.core.v1.Pod`. */
function longName(component: string): string {
  const [kind = '', version = '', group = ''] = component.split('.').toReversed()
  return pascal(group) + pascal(version) + pascal(kind)
}

/** The name of an object that is nested in a field of another. */
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
