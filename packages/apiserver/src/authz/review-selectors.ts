// The selectors of an access review: an authorizer may allow a list of the selected objects where it refuses a list of
// all. They are validated here; no authorizer of this server reads them yet.

import { isObject, labelValue, parseFieldSelector, parseLabelSelector, qualifiedName } from '@homeostat/meta'
import { type Cause, forbiddenField, invalidValue, required } from '@homeostat/meta/server'
import { type Fields, fieldsOf, listOf, textOf } from '../builtin/fields-of.ts'

export function selectorErrors({ fieldSelector, labelSelector }: Fields, path: string): Cause[] {
  return [
    ...generalErrors(fieldSelector, `${path}.fieldSelector`, fieldKeyErrors),
    ...generalErrors(labelSelector, `${path}.labelSelector`, labelErrors),
  ]
}

/** The evaluation error for selectors that cannot be parsed; empty when there is none. */
export function unreadSelectors({ fieldSelector, labelSelector }: Fields): string {
  const field = unread(fieldSelector, parseFieldSelector, usableField)
  const label = unread(labelSelector, parseLabelSelector, usableLabel)
  return [
    ...(field === '' ? [] : [`spec.resourceAttributes.fieldSelector ${field} due to parse error`]),
    ...(label === '' ? [] : [`spec.resourceAttributes.labelSelector ${label} due to parse error`]),
  ].join('; ')
}

function generalErrors(
  selector: unknown,
  path: string,
  more: (requirement: Fields, path: string) => { before: Cause[]; after: Cause[] },
): Cause[] {
  if (!isObject(selector)) return []
  const raw = textOf(selector.rawSelector)
  const requirements = listOf(selector.requirements).map(fieldsOf)
  const causes: Cause[] = []
  if (raw !== '' && requirements.length > 0)
    causes.push(invalidValue(`${path}.rawSelector`, raw, 'may not specified at the same time as requirements'))
  if (raw === '' && requirements.length === 0)
    causes.push(required(`${path}.requirements`, `when ${path} is specified, requirements or rawSelector is required`))
  requirements.forEach((requirement, index) => {
    const at = `${path}.requirements[${index}]`
    const { before, after } = more(requirement, at)
    causes.push(...before, ...valueErrors(requirement, at), ...after)
  })
  return causes
}

/** An unknown operator is no error: a newer client may send it. */
function valueErrors({ operator, values }: Fields, path: string): Cause[] {
  const count = listOf(values).length
  if ((operator === 'In' || operator === 'NotIn') && count === 0)
    return [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")]
  if ((operator === 'Exists' || operator === 'DoesNotExist') && count > 0)
    return [forbiddenField(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
  return []
}

function fieldKeyErrors({ key }: Fields, path: string): { before: Cause[]; after: Cause[] } {
  return { before: textOf(key) === '' ? [required(`${path}.key`, 'must be specified')] : [], after: [] }
}

function labelErrors({ key, values }: Fields, path: string): { before: Cause[]; after: Cause[] } {
  const keys = qualifiedName(textOf(key)).map((text) => invalidValue(`${path}.key`, textOf(key), text))
  const bad = listOf(values).flatMap((value, index) =>
    labelValue(textOf(value)).map((text) => invalidValue(`${path}.values[${index}]`, value, text)),
  )
  return { before: [], after: [...keys, ...bad] }
}

function unread(selector: unknown, parse: (text: string) => unknown, usable: (requirement: Fields) => boolean): string {
  const raw = textOf(fieldsOf(selector).rawSelector)
  const requirements = listOf(fieldsOf(selector).requirements).map(fieldsOf)
  const good = requirements.filter(usable).length
  if (good < requirements.length) return good > 0 ? 'partially ignored' : 'ignored'
  try {
    parse(raw)
    return ''
  } catch {
    return 'ignored'
  }
}

function usableField({ operator, values }: Fields): boolean {
  return (operator === 'In' || operator === 'NotIn') && listOf(values).length === 1
}

function usableLabel({ operator }: Fields): boolean {
  return ['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(textOf(operator))
}
