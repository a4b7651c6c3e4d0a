// Objects inside objects (x-kubernetes-embedded-resource) have apiVersion, kind and valid metadata.

import { dns1035Label, isObject, isStatusError, parseGroupVersion, pathSegmentName } from '@homeostat/meta'
import { decodeObjectMeta, invalidValue, required, validateObjectMeta } from '@homeostat/meta/server'
import { MAX_DEPTH } from '../compile/field-path.ts'
import { ownField, type SchemaNode } from '../compile/schema-node.ts'
import type { Validation } from './validation.ts'

export function checkEmbedded(run: Validation, node: SchemaNode, value: unknown): void {
  if (!node.hasEmbedded || run.full || run.path.depth > MAX_DEPTH) return
  if (Array.isArray(value)) {
    if (!node.items?.hasEmbedded) return
    for (let i = 0; i < value.length; i++) {
      run.path.push(i)
      checkEmbedded(run, node.items, value[i])
      run.path.pop()
    }
  } else if (isObject(value)) {
    if (node.embedded) checkResource(run, value)
    checkFields(run, node, value)
  }
}

function checkFields(run: Validation, node: SchemaNode, object: Record<string, unknown>): void {
  for (const name in object) {
    const known = node.properties?.get(name)
    const child = known ?? node.additional
    if (typeof child !== 'object' || !child.hasEmbedded) continue
    if (known === undefined) run.path.pushKey(name)
    else run.path.push(name)
    checkEmbedded(run, child, object[name])
    run.path.pop()
  }
}

export function checkResource(run: Validation, resource: Record<string, unknown>): void {
  const at = run.name
  const field = (name: string) => run.fieldOf(at === '' ? name : `${at}.${name}`)
  const { apiVersion, kind } = resource
  if (apiVersion === undefined) run.add(required(field('apiVersion'), ''))
  else if (typeof apiVersion !== 'string') run.add(invalidValue(field('apiVersion'), apiVersion, 'must be a string'))
  else if (apiVersion === '') run.add(invalidValue(field('apiVersion'), apiVersion, 'must not be empty'))
  else if (parseGroupVersion(apiVersion) === undefined) {
    run.add(invalidValue(field('apiVersion'), apiVersion, `unexpected GroupVersion string: ${apiVersion}`))
  }
  if (kind === undefined) run.add(required(field('kind'), ''))
  else if (typeof kind !== 'string') run.add(invalidValue(field('kind'), kind, 'must be a string'))
  else if (kind === '') run.add(invalidValue(field('kind'), kind, 'must not be empty'))
  else {
    const errors = dns1035Label(kind.toLowerCase())
    const detail = `may have mixed case, but should otherwise match: ${errors.join(',')}`
    if (errors.length > 0) run.add(invalidValue(field('kind'), kind, detail))
  }
  checkMetadata(run, ownField(resource, 'metadata'), field)
}

function checkMetadata(run: Validation, metadata: unknown, field: (name: string) => string): void {
  if (metadata === undefined) return
  try {
    const { meta } = decodeObjectMeta(metadata)
    // An embedded object may be nameless, as a template is.
    const named = meta.name ? meta : { ...meta, name: 'fakename' }
    const causes = validateObjectMeta(named, {
      namespaced: Boolean(meta.namespace),
      nameErrors: pathSegmentName,
    })
    for (const cause of causes) run.add({ ...cause, field: field(cause.field) })
  } catch (error) {
    if (!isStatusError(error)) throw error
    run.add(invalidValue(field('metadata'), metadata, error.message))
  }
}
