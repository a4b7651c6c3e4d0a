// Splits keys of the store: `group/resource/namespace/name`, or `group/resource/name` in cluster scope.

/** `group/resource/rest` -> [`group/resource`, `rest`]. */
export function splitKey(key: string): [storage: string, name: string] {
  const slash = key.indexOf('/', key.indexOf('/') + 1)
  return [key.slice(0, slash), key.slice(slash + 1)]
}

/**
 * The same, with a name that is not a V8 sliced string of the key: the tree compares names for as long as the object lives,
 * and a sliced string takes several times as long to compare.
 */
export function splitKeyForGood(key: string): [storage: string, name: string] {
  const [storage, name] = splitKey(key)
  const slash = name.indexOf('/')
  return [storage, slash < 0 ? name : [name.slice(0, slash), name.slice(slash + 1)].join('/')]
}
