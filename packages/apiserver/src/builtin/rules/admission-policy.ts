// Rules of ValidatingAdmissionPolicy and its binding.

import { isObject, type KubeObject, pathSegmentName } from '@homeostat/meta'
import { type Cause, duplicate, forbiddenField, invalidValue, notSupported, required } from '@homeostat/meta/server'
import { type Fields, fieldsOf, listOf, textOf } from '../fields-of.ts'
import type { KindRules } from '../schema-strategy.ts'
import {
  defaultMatching,
  defaultRules,
  FAILURE_POLICIES,
  matchConditionErrors,
  matchResourceErrors,
  paramKindErrors,
} from './admission-rules.ts'
import {
  choice,
  dnsSubdomain,
  ensure,
  fillMissing,
  isSet,
  items,
  messages,
  optionalChoice,
  qualified,
  requiredName,
  texts,
} from './field-checks.ts'
import { selectorErrors } from './label-checks.ts'
import { ExpressionChecks } from './policy-expression-checks.ts'

/** Each server has its own. */
export function admissionPolicyRules(): Partial<KindRules> {
  const checks = new ExpressionChecks()
  const validate = (policy: KubeObject, old?: KubeObject) => [...policyErrors(policy), ...checks.errors(policy, old)]
  return {
    applyDefaults(policy) {
      const spec = ensure(policy, 'spec')
      fillMissing(spec, 'failurePolicy', 'Fail')
      defaultMatch(spec.matchConstraints)
    },
    beforeValidation: (policy, old) => checks.compileAhead(policy, old),
    validate,
    validateUpdate: validate,
  }
}

export const admissionBindingRules: Partial<KindRules> = {
  applyDefaults: (binding) => defaultMatch(fieldsOf(binding.spec).matchResources),
  validate: bindingErrors,
}

function defaultMatch(match: unknown): void {
  if (!isObject(match)) return
  defaultMatching(match)
  defaultRules(match, 'resourceRules', 'excludeResourceRules')
}

function policyErrors(policy: KubeObject): Cause[] {
  const spec = fieldsOf(policy.spec)
  const causes = optionalChoice('spec.failurePolicy', spec.failurePolicy, FAILURE_POLICIES)
  causes.push(...paramKindErrors(spec.paramKind, 'spec.paramKind'))
  const match = spec.matchConstraints
  if (!isObject(match)) causes.push(required('spec.matchConstraints'))
  else {
    causes.push(...matchResourceErrors(match, 'spec.matchConstraints'))
    if (listOf(match.resourceRules).length === 0) causes.push(required('spec.matchConstraints.resourceRules'))
  }
  return [
    ...causes,
    ...matchConditionErrors(spec.matchConditions, 'spec.matchConditions'),
    ...items(spec.variables, 'spec.variables').flatMap((one) => variableErrors(one.item, one.path)),
    ...checkErrors(policy, spec),
  ]
}

function variableErrors(variable: Fields, path: string): Cause[] {
  const name = textOf(variable.name)
  const causes: Cause[] = []
  if (name.trim() === '') causes.push(required(`${path}.name`, 'name is not specified'))
  else if (!/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name)) {
    causes.push(invalidValue(`${path}.name`, name, 'must be a valid CEL identifier'))
  }
  return [...causes, ...expressionErrors(variable.expression, `${path}.expression`)]
}

function expressionErrors(expression: unknown, path: string): Cause[] {
  return textOf(expression).trim() === '' ? [required(path, 'expression is not specified')] : []
}

const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge']
const MAX_ANNOTATIONS = 20
/** Of an annotation, in bytes. */
const MAX_EXPRESSION = 5 * 1024

function checkErrors(policy: KubeObject, spec: Fields): Cause[] {
  const [validations, annotations] = [listOf(spec.validations), listOf(spec.auditAnnotations)]
  if (validations.length === 0 && annotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item'
    return [required('spec.validations', detail), required('spec.auditAnnotations', detail)]
  }
  const keys = new Set<string>()
  const path = 'spec.auditAnnotations'
  const causes = items(validations, 'spec.validations').flatMap((one) => validationErrors(one.item, one.path))
  if (annotations.length > MAX_ANNOTATIONS) {
    causes.push(invalidValue(path, annotations, `must not have more than ${MAX_ANNOTATIONS} auditAnnotations`))
  }
  for (const { item, path: at } of items(annotations, path)) {
    const key = textOf(item.key)
    const { name } = policy.metadata
    if (name) causes.push(...qualified(`${at}.key`, `${name}/${key}`))
    else causes.push(invalidValue(`${at}.key`, key, 'requires metadata.name be non-empty'))
    const expression = textOf(item.valueExpression).trim()
    if (expression === '') causes.push(required(`${at}.valueExpression`, 'valueExpression is not specified'))
    else if (Buffer.byteLength(expression) > MAX_EXPRESSION) {
      causes.push(required(`${at}.valueExpression`, `must not exceed ${MAX_EXPRESSION} bytes in length`))
    }
    if (keys.has(key)) causes.push(duplicate(`${at}.key`, key))
    keys.add(key)
  }
  return causes
}

function validationErrors(validation: Fields, path: string): Cause[] {
  const causes = expressionErrors(validation.expression, `${path}.expression`)
  const [message, computed] = [textOf(validation.message), textOf(validation.messageExpression)]
  if (computed !== '' && computed.trim() === '') {
    causes.push(invalidValue(`${path}.messageExpression`, computed, 'must be non-empty if specified'))
  }
  if (message !== '' && message.trim() === '') {
    causes.push(invalidValue(`${path}.message`, message, 'must be non-empty if specified'))
  } else if (/[\n\r]/.test(message.trim())) {
    causes.push(invalidValue(`${path}.message`, message, 'must not contain line breaks'))
  }
  return [...causes, ...optionalChoice(`${path}.reason`, validation.reason, REASONS)]
}

const ACTIONS = ['Audit', 'Deny', 'Warn']

function bindingErrors(binding: KubeObject): Cause[] {
  const spec = fieldsOf(binding.spec)
  const [path, actions] = ['spec.validationActions', texts(spec.validationActions)]
  const causes = requiredName('spec.policyName', spec.policyName, dnsSubdomain)
  causes.push(...paramRefErrors(spec.paramRef, 'spec.paramRef'))
  causes.push(...matchResourceErrors(spec.matchResources, 'spec.matchResources'))
  actions.forEach((action, index) => {
    if (!ACTIONS.includes(action)) causes.push(notSupported(`${path}[${index}]`, action, ACTIONS))
    if (actions.indexOf(action) < index) causes.push(duplicate(`${path}[${index}]`, action))
  })
  if (actions.includes('Deny') && actions.includes('Warn')) {
    causes.push(invalidValue(path, actions, 'must not contain both Deny and Warn'))
  }
  if (actions.length === 0) causes.push(required(path, 'at least one validation action is required'))
  return causes
}

function paramRefErrors(reference: unknown, path: string): Cause[] {
  if (!isObject(reference)) return []
  const [name, selector] = [textOf(reference.name), reference.selector]
  const exclusive = 'name and selector are mutually exclusive'
  const causes = messages(`${path}.name`, name, pathSegmentName(name))
  if (isSet(selector)) {
    causes.push(...selectorErrors(`${path}.selector`, selector))
    if (name !== '') {
      causes.push(forbiddenField(`${path}.name`, exclusive), forbiddenField(`${path}.selector`, exclusive))
    }
  } else if (name === '') causes.push(required(path, 'one of name or selector must be specified'))
  return [...causes, ...choice(`${path}.parameterNotFoundAction`, reference.parameterNotFoundAction, ['Deny', 'Allow'])]
}
