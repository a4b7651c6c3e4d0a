// Checks the form of x-kubernetes-validations: everything that does not require compiling the CEL.

import { isObject } from '@homeostat/meta'
import { type Cause, invalidValue, notSupported, required } from '@homeostat/meta/server'
import { type JsonSchema, stringOf } from '../json-schema.ts'
import { relativePath } from '../rules/field-path.ts'

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired']

export function validationRules(schema: JsonSchema, path: string): Cause[] {
  const rules = schema['x-kubernetes-validations']
  if (!Array.isArray(rules)) return []
  return rules.flatMap((rule, i) =>
    oneRule(schema, isObject(rule) ? rule : {}, `${path}.x-kubernetes-validations[${i}]`),
  )
}

function oneRule(schema: JsonSchema, rule: Record<string, unknown>, at: string): Cause[] {
  const causes = [...textRules(rule, at)]
  const { reason } = rule
  if (typeof reason === 'string' && !reasons.includes(reason)) {
    causes.push(notSupported(`${at}.reason`, reason, reasons))
  }
  const fieldPath = stringOf(rule.fieldPath)
  if (fieldPath === '') return causes
  const refuse = (detail: string) => causes.push(invalidValue(`${at}.fieldPath`, fieldPath, detail))
  if (fieldPath.trim() === '') refuse('must be non-empty if specified')
  if (hasLineBreak(fieldPath)) refuse('must not contain line breaks')
  if (relativePath(schema, fieldPath) === undefined) refuse('must be a valid path')
  return causes
}

function textRules(rule: Record<string, unknown>, at: string): Cause[] {
  const causes: Cause[] = []
  const text = stringOf(rule.rule).trim()
  const given = stringOf(rule.message)
  const message = given.trim()
  if (text === '') causes.push(required(`${at}.rule`, 'rule is not specified'))
  else if (given !== '' && message === '') {
    causes.push(invalidValue(`${at}.message`, given, 'must be non-empty if specified'))
  } else if (hasLineBreak(message)) {
    causes.push(invalidValue(`${at}.message`, given, 'must not contain line breaks'))
  } else if (hasLineBreak(text) && message === '') {
    causes.push(required(`${at}.message`, 'message must be specified if rule contains line breaks'))
  }
  const expression = stringOf(rule.messageExpression)
  if (expression !== '' && expression.trim() === '') {
    causes.push(required(`${at}.messageExpression`, 'messageExpression must be non-empty if specified'))
  }
  return causes
}

function hasLineBreak(text: string): boolean {
  return /[\n\r]/.test(text)
}
