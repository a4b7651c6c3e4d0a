// Keys of the store: `group/resource/namespace/name`, or `group/resource/name` in cluster scope.

/** `group/resource/rest` -> [`group/resource`, `rest`]. */
export function splitKey(key: string): [storage: string, name: string] {
  const slash = key.indexOf('/', key.indexOf('/') + 1)
  return [key.slice(0, slash), key.slice(slash + 1)]
}
