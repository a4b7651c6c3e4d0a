// Mistakes that a store or a server could make, planted into the model: the checkers have to find each of them. Tests alone plant them.

import type { BareServer } from '@homeostat/apiserver/testing/bare-server'
import type { Change, Entry, Fence, Note, Store, Value, WriteOutcome } from '@homeostat/store'
import type { Random } from '../crash/random.ts'

/** What a server gets as its store, made of what it should get; and what is done to its parts. */
export interface Mistake {
  readonly store?: (store: Store, random: Random) => Store
  readonly server?: (parts: BareServer) => void
}

/** One time in so many, so that what is around a mistake is sound. */
const ONE_IN = 4

const storeMistake = (plant: (store: Store, isNow: () => boolean) => Partial<Store>): Mistake => ({
  store: (store, random) =>
    over(
      store,
      plant(store, () => random.between(0, ONE_IN) === 0),
    ),
})

/** The same store but for these methods. */
function over(store: Store, changed: Partial<Store>): Store {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(name in changed ? changed : target, name)
      return typeof value === 'function' ? value.bind(name in changed ? changed : target) : value
    },
  })
}

type Put = [key: string, value: Value, expected: Entry | undefined, note: Note, fences?: readonly Fence[]]

/** Only what clients write: the model needs its Leases to work at all. */
const isObject = (key: string) => key.startsWith('core/configmaps/')

const notApplied: WriteOutcome = { type: 'failed', error: new Error('the store refused the write') }

export const OBJECT_MISTAKES: Readonly<Record<string, Mistake>> = {
  'a store that says failed of what it stored': storeMistake((store, isNow) => ({
    put: async (...args: Put) => {
      const outcome = await store.put(...args)
      return isObject(args[0]) && isNow() ? notApplied : outcome
    },
  })),
  'a store that acknowledges what it did not store': storeMistake((store, isNow) => ({
    put: async (...args: Put) =>
      isObject(args[0]) && args[2] !== undefined && isNow()
        ? { type: 'committed', revision: args[2].revision }
        : store.put(...args),
  })),
  'a store that does not compare what a write expects': storeMistake((store, isNow) => ({
    put: async (key, value, expected, note, fences) =>
      store.put(
        key,
        value,
        isObject(key) && expected && isNow() ? await current(store, expected) : expected,
        note,
        fences,
      ),
  })),
  'a driver that sends a write of unknown outcome again without its condition': storeMistake((store) => ({
    put: async (key, value, expected, note, fences) => {
      const outcome = await store.put(key, value, expected, note, fences)
      if (outcome.type !== 'unknown' || !isObject(key)) return outcome
      return store.put(key, value, await current(store, { key, revision: 0, value: undefined }), note, fences)
    },
  })),
  'a revision that another server has passed': storeMistake((store, isNow) => {
    let last: number | undefined
    return {
      revision: async () => {
        last = last !== undefined && isNow() ? last : await store.revision()
        return last
      },
    }
  }),
  'a freshness that does not ask': {
    server: ({ registry }) => {
      Object.assign(registry.freshness as object, { newest: () => Promise.resolve() })
    },
  },
  'a stream that leaves out a change': streamMistake((batch, isNow) => (isNow() ? batch.slice(1) : batch)),
  'a stream that repeats a change': streamMistake((batch, isNow) => (isNow() ? [...batch, ...batch] : batch)),
  'a stream that is out of order': streamMistake((batch, isNow, held) => {
    const late = held.splice(0)
    if (isNow()) {
      held.push(...batch)
      return late
    }
    return [...batch, ...late]
  }),
  'a cache that shows a watch less than it knows': {
    server: ({ registry }) => {
      const { cache } = registry
      const resource = cache.resource('core/configmaps')
      const publish = resource.publish.bind(resource)
      resource.publish = (changes) => publish(changes.filter(({ revision }) => revision % ONE_IN !== 0))
    },
  },
}

export const DUTY_MISTAKES: Readonly<Record<string, Mistake>> = {
  'a store that ignores fences': storeMistake((store) => ({
    put: (key, value, expected, note) => store.put(key, value, expected, note),
  })),
  'a store that checks fences only now and then': storeMistake((store, isNow) => ({
    put: (key, value, expected, note, fences) => store.put(key, value, expected, note, isNow() ? [] : fences),
  })),
}

/** The entry as it is now; as it was when the store does not answer. */
function current(store: Store, before: Entry): Promise<Entry | undefined> {
  return store.get(before.key).catch(() => before)
}

type Spoil = (batch: readonly Change[], isNow: () => boolean, held: Change[]) => readonly Change[]

function streamMistake(spoil: Spoil): Mistake {
  return storeMistake((store, isNow) => ({
    async *changes(after, signal, options) {
      const held: Change[] = []
      for await (const batch of store.changes(after, signal, options)) {
        const sound = batch.filter(({ key }) => !isObject(key))
        const spoilt = spoil(
          batch.filter(({ key }) => isObject(key)),
          isNow,
          held,
        )
        if (sound.length + spoilt.length > 0) yield [...sound, ...spoilt]
      }
    },
  }))
}

const isProcess = (key: string) => key.startsWith('colonies.io/processes/')

export const QUEUE_MISTAKES: Readonly<Record<string, Mistake>> = {
  'a store that does not compare what a write of a Process expects': storeMistake((store, isNow) => ({
    put: async (key, value, expected, note, fences) =>
      store.put(
        key,
        value,
        isProcess(key) && expected && isNow() ? await current(store, expected) : expected,
        note,
        fences,
      ),
  })),
  'a store that acknowledges a Process that it did not store': storeMistake((store, isNow) => ({
    put: async (...args: Put) =>
      isProcess(args[0]) && args[2] !== undefined && isNow()
        ? { type: 'committed', revision: args[2].revision }
        : store.put(...args),
  })),
  'a store that loses a new Process': storeMistake((store, isNow) => ({
    put: async (...args: Put) =>
      isProcess(args[0]) && args[2] === undefined && isNow()
        ? { type: 'committed', revision: await store.revision() }
        : store.put(...args),
  })),
}
