// Keys of the store: `group/resource/namespace/name`, or `group/resource/name` in cluster scope.

/** `group/resource/rest` -> [`group/resource`, `rest`]. */
export function splitKey(key: string): [storage: string, name: string] {
  const slash = key.indexOf('/', key.indexOf('/') + 1)
  return [key.slice(0, slash), key.slice(slash + 1)]
}

/**
 * The same, with a name that is a text of its own and no part of the key: it is compared with others for as long as the
 * object lives, and a part of a text takes several times as long to compare.
 */
export function splitKeyForGood(key: string): [storage: string, name: string] {
  const [storage, name] = splitKey(key)
  const slash = name.indexOf('/')
  return [storage, slash < 0 ? name : [name.slice(0, slash), name.slice(slash + 1)].join('/')]
}
