// One object as it is, followed by a watch of its name.

import type { ApiObject } from '@homeostat/client'
import { isStatusError } from '@homeostat/meta'
import { useEffect, useMemo } from 'react'
import { client } from '../connection/client.ts'
import { apiVersionOf, type Kind, type ObjectName } from '../kinds/kind.ts'
import { pauseBefore } from './backoff.ts'
import { Shown, useShown } from './shown.ts'

/** Any object; what is in it is looked at with care, since the server has whatever its definitions allow. */
export interface LiveObject extends ApiObject {
  readonly metadata: Metadata
  readonly spec?: unknown
  readonly status?: unknown
}

export type Metadata = ApiObject['metadata'] & {
  readonly name: string
  readonly uid: string
  readonly resourceVersion: string
}

export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
}

export interface ManagedFields {
  readonly manager?: string
  readonly operation?: string
  readonly time?: string
  readonly subresource?: string
  readonly fieldsV1?: object
}

export interface ObjectState {
  /** The last state that was seen, also of an object that is gone. */
  readonly object: LiveObject | undefined
  readonly phase: 'loading' | 'live' | 'missing' | 'gone'
  readonly trouble: Error | undefined
}

const LOADING: ObjectState = { object: undefined, phase: 'loading', trouble: undefined }

/** Closes when the screen does. */
export function useObject(kind: Kind, { namespace, name }: ObjectName): ObjectState {
  const state = useMemo(() => new Shown(LOADING), [])
  const key = `${kind.group}/${kind.version}/${kind.resource}/${namespace}/${name}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the kind and the name
  useEffect(() => {
    const following = new AbortController()
    state.set(LOADING)
    void follow(kind, { namespace, name }, state, following.signal)
    return () => following.abort()
  }, [key, state])
  return useShown(state)
}

async function follow(kind: Kind, name: ObjectName, state: Shown<ObjectState>, signal: AbortSignal): Promise<void> {
  const calls = client.resourceOf<LiveObject>(apiVersionOf(kind), kind.kind)
  const target = { name: name.name, ...(name.namespace !== undefined && { namespace: name.namespace }) }
  for (let failures = 0; !signal.aborted; ) {
    try {
      const found = await calls.find(target, { signal })
      state.set({ object: found ?? state.value.object, phase: found ? 'live' : 'missing', trouble: undefined })
      const from = found?.metadata.resourceVersion
      const selection = {
        fieldSelector: `metadata.name=${name.name}`,
        ...(name.namespace && { namespace: name.namespace }),
      }
      if (!kind.verbs.includes('watch')) return
      for await (const event of calls.watch({
        ...selection,
        ...(from && { resourceVersion: from }),
        allowBookmarks: true,
        signal,
      })) {
        failures = 0
        if (event.type === 'BOOKMARK') continue
        state.set({ object: event.object, phase: event.type === 'DELETED' ? 'gone' : 'live', trouble: undefined })
      }
    } catch (error) {
      if (signal.aborted) return
      const expired = isStatusError(error, 'Expired') || isStatusError(error, 'Gone')
      if (!expired) state.set({ ...state.value, trouble: error as Error })
      await pauseBefore(++failures, signal, error)
    }
  }
}
