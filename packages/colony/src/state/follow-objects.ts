// Reads all objects of a resource, then every change of one. What cannot be read is reported and never stops the others.

import type { Api, ObjectChange, ResourceName } from '@homeostat/apiserver'

/** The first read of all objects yields to the event loop after this long. */
const TIME_SLICE_MS = 5

export interface Follower {
  /** Undefined as `previous` also means: read for the first time. */
  read(change: ObjectChange): void
  unreadable(key: string, error: unknown): void
  /** Gets the function that ends it. */
  readonly stops: (() => void)[]
}

/** Resolves when all have been read. */
export async function followObjects(
  api: Pick<Api, 'follow' | 'objects'>,
  resource: ResourceName,
  { read, unreadable, stops }: Follower,
): Promise<void> {
  // A change that arrives during the first read is newer than what that read finds.
  const changed = new Set<string>()
  let isFirstRead = true
  const readSafely = (change: ObjectChange) => {
    try {
      read(change)
    } catch (error) {
      unreadable(keyOfChange(change), error)
    }
  }
  const follow = (change: ObjectChange) => {
    if (isFirstRead) changed.add(keyOfChange(change))
    readSafely(change)
  }
  stops.push(api.follow(resource, follow))
  let began = performance.now()
  for (const object of api.objects(resource)) {
    if (!changed.has(object.name)) readSafely({ resource, object, previous: undefined })
    if (performance.now() - began < TIME_SLICE_MS) continue
    await new Promise((resolve) => setImmediate(resolve))
    began = performance.now()
  }
  isFirstRead = false
}

export function keyOfChange({ object, previous }: ObjectChange): string {
  return (object ?? previous)?.name ?? ''
}
