// What one version of a definition can have wrong besides its name and its schema.

import { type Cause, invalidValue, required } from '@homeostat/meta'
import type { DefinitionVersion } from './definition.ts'

const COLUMN_TYPES = ['integer', 'number', 'string', 'boolean', 'date']
const COLUMN_FORMATS = ['int32', 'int64', 'float', 'double', 'byte', 'date', 'date-time', 'password']
const MAX_WARNING = 256

export function deprecationErrors({ deprecated, deprecationWarning }: DefinitionVersion, path: string): Cause[] {
  if (deprecationWarning === undefined) return []
  const messages: string[] = []
  if (deprecated !== true) messages.push('can only be set for deprecated versions')
  if (deprecationWarning === '') messages.push('must not be an empty string')
  if (deprecationWarning.length > MAX_WARNING) messages.push(`must be <= ${MAX_WARNING} characters long`)
  const odd = deprecationWarning.search(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u)
  if (odd >= 0) {
    messages.push(`must only contain printable UTF-8 characters; non-printable character found at index ${odd}`)
  }
  return messages.map((message) => invalidValue(`${path}.deprecationWarning`, deprecationWarning, message))
}

export function subresourceErrors({ subresources }: DefinitionVersion, path: string): Cause[] {
  const scale = subresources?.scale
  if (scale === undefined) return []
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale
  return [
    ...scalePathErrors(specReplicasPath, ['.spec.'], `${path}.scale.specReplicasPath`),
    ...scalePathErrors(statusReplicasPath, ['.status.'], `${path}.scale.statusReplicasPath`),
    ...(labelSelectorPath
      ? scalePathErrors(labelSelectorPath, ['.spec.', '.status.'], `${path}.scale.labelSelectorPath`)
      : []),
  ]
}

export function columnErrors({ additionalPrinterColumns = [] }: DefinitionVersion, path: string): Cause[] {
  return additionalPrinterColumns.flatMap((column, index) => {
    const at = `${path}[${index}]`
    const causes: Cause[] = []
    if (column.name === '') causes.push(required(`${at}.name`, ''))
    const types = `must be one of ${COLUMN_TYPES.join(',')}`
    if (column.type === '') causes.push(required(`${at}.type`, types))
    else if (!COLUMN_TYPES.includes(column.type)) causes.push(invalidValue(`${at}.type`, column.type, types))
    if (column.format && !COLUMN_FORMATS.includes(column.format)) {
      causes.push(invalidValue(`${at}.format`, column.format, `must be one of ${COLUMN_FORMATS.join(',')}`))
    }
    // Kubernetes spells this one field differently from the object.
    if (column.jsonPath === '') causes.push(required(`${at}.JSONPath`, ''))
    else causes.push(...simplePathErrors(column.jsonPath, `${at}.JSONPath`))
    return causes
  })
}

function scalePathErrors(value: string, roots: readonly string[], field: string): Cause[] {
  if (value === '') return [required(field, '')]
  const simple = simplePathErrors(value, field)
  if (simple.length > 0 || roots.some((root) => value.startsWith(root))) return simple
  const places = roots.map((root) => root.slice(0, -1)).join(' or ')
  return [invalidValue(field, value, `should be a json path under ${roots.length > 1 ? 'either ' : ''}${places}`)]
}

function simplePathErrors(value: string, field: string): Cause[] {
  return value.startsWith('.') ? [] : [invalidValue(field, value, 'must be a simple json path starting with .')]
}
