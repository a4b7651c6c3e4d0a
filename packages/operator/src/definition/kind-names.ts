// The names of a kind; those not given are derived from the kind by English rules.

export interface KindNames {
  /** In URLs and `kubectl get`. Default: the plural of the kind, in lower case. */
  plural?: string
  /** Default: the kind in lower case. */
  singular?: string
  /** Default: the kind with `List`. */
  listKind?: string
  /** Short names for `kubectl get`. */
  shortNames?: readonly string[]
  /** Groups of kinds, e.g. `all`. */
  categories?: readonly string[]
}

export function kindNames(kind: string, given: KindNames = {}) {
  const { plural = pluralOf(kind), singular = kind.toLowerCase(), listKind = `${kind}List` } = given
  return {
    plural,
    singular,
    kind,
    listKind,
    ...(given.shortNames !== undefined && { shortNames: [...given.shortNames] }),
    ...(given.categories !== undefined && { categories: [...given.categories] }),
  }
}

export function pluralOf(kind: string): string {
  const name = kind.toLowerCase()
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`
  return /(?:s|x|z|ch|sh)$/.test(name) ? `${name}es` : `${name}s`
}
