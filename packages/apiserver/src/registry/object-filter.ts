// Which objects a list, watch or deletecollection is about: a namespace, labels and fields. Names and namespaces are
// read off the key and labels are remembered, so the usual selectors parse no object.

import {
  badRequest,
  type KubeObject,
  type LabelSelector,
  parseFieldSelector,
  parseLabelSelector,
} from '@homeostat/meta'
import type { CachedObject } from '../cache/cached-object.ts'
import type { ResourceType } from './resource-type.ts'

export interface ObjectFilter {
  /** Every key that can match starts with this. */
  readonly prefix: string
  /** Whether every object under the prefix matches. */
  readonly all: boolean
  /** Canonical text: filters with the same text match the same objects. */
  readonly text: string
  matches(object: CachedObject): boolean
}

type Test = (object: CachedObject) => boolean

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
  if (name !== undefined) {
    tests.push((object) => object.name === prefix + name)
    texts.push(`name=${name}`)
  }
  if (labelSelector) {
    const labels = parseLabelSelector(labelSelector)
    if (!labels.empty) {
      tests.push(labelTest(labels))
      texts.push(`labels=${labels}`)
    }
  }
  if (fieldSelector) {
    const fields = parseFieldSelector(fieldSelector)
    for (const { field, op, value } of fields.requirements) {
      const read = fieldReader(type, field)
      tests.push((object) => (read(object) === value) === (op === '='))
    }
    if (!fields.empty) texts.push(`fields=${fields}`)
  }
  const [only] = tests
  return {
    prefix,
    all: tests.length === 0,
    text: texts.join('|'),
    matches: (object) => {
      if (!object.name.startsWith(prefix)) return false
      if (tests.length < 2) return only ? only(object) : true
      return tests.every((test) => test(object))
    },
  }
}

function labelTest(selector: LabelSelector): Test {
  return (object) => selector.matches(object.labels)
}

function fieldReader(type: ResourceType, field: string): (object: CachedObject) => string {
  if (field === 'metadata.name') return (object) => object.name.slice(object.name.indexOf('/') + 1)
  if (field === 'metadata.namespace' && type.namespaced)
    return (object) => object.name.slice(0, object.name.indexOf('/'))
  const read = type.selectableFields[field]
  if (read) return (object) => read(JSON.parse(object.bytes.toString()) as KubeObject)
  const known = [
    'metadata.name',
    ...(type.namespaced ? ['metadata.namespace'] : []),
    ...Object.keys(type.selectableFields),
  ]
  throw badRequest(`field label not supported: ${field} (${type.kind} can be selected by ${known.join(', ')})`)
}
