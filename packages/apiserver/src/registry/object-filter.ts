// Selects the objects of a list, watch or deletecollection by namespace, labels and fields. Names and namespaces come from
// the key and labels are memoized, so the usual selectors parse no object.

import { badRequest, type KubeObject, parseFieldSelector, parseLabelSelector } from '@homeostat/meta'
import type { CachedObject } from '../cache/cached-object.ts'
import type { ResourceCache } from '../cache/resource-cache.ts'
import type { ResourceType } from './resource-type.ts'
import { readAs, showsStored, withCopies } from './versions.ts'

export interface ObjectFilter {
  /** Every key that can match starts with this. */
  readonly prefix: string
  /** Whether every object under the prefix matches. */
  readonly all: boolean
  /** Whether the key alone decides. If not, a damaged object counts as matching. */
  readonly byKey: boolean
  /** Whether it reads a field that the definition makes selectable. */
  readonly byFields: boolean
  /** Canonical text: filters with the same text match the same objects. */
  readonly text: string
  matches(object: CachedObject): boolean
}

type Test = (object: CachedObject) => boolean

/** The content of a damaged object is unknown, so it matches: a request that needs it must fail, not miss it. */
function content(test: Test): Test {
  return (object) => object.damage !== undefined || test(object)
}

const KEY_FIELDS = ['metadata.name', 'metadata.namespace']

export function objectFilter(
  type: ResourceType,
  namespace: string | undefined,
  labelSelector: string | null,
  fieldSelector: string | null,
  name?: string,
): ObjectFilter {
  const prefix = namespace === undefined ? '' : `${namespace}/`
  const tests: Test[] = []
  const texts = [prefix]
  let byKey = true
  let byFields = false
  if (name !== undefined) {
    tests.push((object) => object.name === prefix + name)
    texts.push(`name=${name}`)
  }
  if (labelSelector) {
    const labels = parseLabelSelector(labelSelector)
    if (!labels.empty) {
      tests.push(content((object) => labels.matches(object.labels)))
      byKey = false
      texts.push(`labels=${labels}`)
    }
  }
  if (fieldSelector) {
    const fields = parseFieldSelector(fieldSelector)
    for (const { field, op, value } of fields.requirements) {
      const read = fieldReader(type, field)
      const test: Test = (object) => (read(object) === value) === (op === '=')
      const ofKey = KEY_FIELDS.includes(field)
      tests.push(ofKey ? test : content(test))
      byKey &&= ofKey
      byFields ||= !ofKey
    }
    if (!fields.empty) texts.push(`fields=${fields}`)
  }
  const [only] = tests
  return {
    prefix,
    all: tests.length === 0,
    byKey,
    byFields,
    text: texts.join('|'),
    matches: (object) => {
      if (!object.name.startsWith(prefix)) return false
      if (tests.length < 2) return only ? only(object) : true
      return tests.every((test) => test(object))
    },
  }
}

/** Reads the fields that the filter needs, for a version that a webhook makes; `matches` then remembers them. */
export async function readFields(
  type: ResourceType,
  resource: ResourceCache,
  filter: ObjectFilter,
  objects: readonly CachedObject[],
): Promise<void> {
  if (type.converter === undefined || !filter.byFields) return
  const sound = objects.filter(({ damage }) => damage === undefined)
  for (const object of sound) resource.prepare(object)
  await withCopies(type, sound, () => {
    for (const object of sound) filter.matches(object)
  })
}

function fieldReader(type: ResourceType, field: string): (object: CachedObject) => string {
  if (field === 'metadata.name') return (object) => object.name.slice(object.name.indexOf('/') + 1)
  if (field === 'metadata.namespace' && type.namespaced)
    return (object) => object.name.slice(0, object.name.indexOf('/'))
  const read = Object.hasOwn(type.selectableFields, field) ? type.selectableFields[field] : undefined
  if (read && type.custom) return keptReader(read, type, field)
  if (read) return (object) => read(JSON.parse(object.bytes.toString()) as KubeObject)
  // The words of Kubernetes, and no more: its tests compare them.
  throw badRequest(`field label not supported: ${field}`)
}

function keptReader(read: (object: KubeObject) => string, type: ResourceType, field: string) {
  const values = type.memo.fieldValues(field)
  return (object: CachedObject): string => {
    const value = values.get(object) ?? read(shown(object, type))
    values.set(object, value)
    return value
  }
}

/** The object in the type's form, also if it has not been renewed for the type's definition yet. */
function shown(object: CachedObject, type: ResourceType): KubeObject {
  const parsed = readAs(object, type)
  if (object.epoch <= type.viewEpoch && showsStored(type)) {
    type.strategy.prune(parsed)
    type.strategy.applyDefaults(parsed)
  }
  return parsed
}
