// Rules of MutatingWebhookConfiguration and ValidatingWebhookConfiguration.

import { dns1123Subdomain, isObject, type KubeObject } from '@homeostat/meta'
import { type Cause, duplicate, invalidValue, notSupported, required } from '@homeostat/meta/server'
import { type Fields, fieldsOf, listOf, textOf } from '../fields-of.ts'
import type { KindRules } from '../schema-strategy.ts'
import {
  defaultMatching,
  defaultRules,
  FAILURE_POLICIES,
  MATCH_POLICIES,
  matchConditionErrors,
  ruleErrors,
} from './admission-rules.ts'
import { CompiledAhead } from './compiled-ahead.ts'
import { fillMissing, isSet, items, numberOf, optionalChoice, structs, texts } from './field-checks.ts'
import { selectorErrors } from './label-checks.ts'
import { reviewVersionErrors, webhookClientErrors } from './webhook-client.ts'

/** Each server has its own. */
export function webhookRules({ mutating }: { mutating: boolean }): Partial<KindRules> {
  const ahead = new CompiledAhead()
  return {
    applyDefaults(configuration) {
      for (const hook of structs(configuration, 'webhooks')) {
        fillMissing(hook, 'failurePolicy', 'Fail')
        defaultMatching(hook)
        fillMissing(hook, 'timeoutSeconds', 10)
        if (mutating) fillMissing(hook, 'reinvocationPolicy', 'Never')
        defaultRules(hook, 'rules')
        const { service } = fieldsOf(hook.clientConfig)
        if (isObject(service)) fillMissing(service, 'port', 443)
      }
    },
    beforeValidation(configuration) {
      const hooks = structs(configuration, 'webhooks').filter((hook) => listOf(hook.matchConditions).length > 0)
      return hooks.length === 0 ? undefined : compileConditions(hooks, ahead)
    },
    validate: (configuration) => errors(configuration, ahead),
  }
}

async function compileConditions(hooks: readonly Fields[], ahead: CompiledAhead): Promise<void> {
  for (const hook of hooks) await ahead.compile(hook, { matchConditions: hook.matchConditions })
}

function errors(configuration: KubeObject, ahead: CompiledAhead): Cause[] {
  const names = new Set<string>()
  return items(configuration.webhooks, 'webhooks').flatMap(({ item, path }) => {
    const versions = texts(item.admissionReviewVersions)
    const missing = 'must specify one of v1, v1beta1'
    const causes = [
      ...hookErrors(item, path, ahead),
      ...reviewVersionErrors(versions, `${path}.admissionReviewVersions`, { missing }),
    ]
    const name = textOf(item.name)
    if (name !== '' && names.has(name)) causes.push(duplicate(`${path}.name`, name))
    names.add(name)
    return causes
  })
}

const SIDE_EFFECTS = ['None', 'NoneOnDryRun']

function hookErrors(hook: Fields, path: string, ahead: CompiledAhead): Cause[] {
  const causes = [...nameErrors(textOf(hook.name), `${path}.name`), ...ruleErrors(hook.rules, `${path}.rules`)]
  causes.push(...optionalChoice(`${path}.failurePolicy`, hook.failurePolicy, FAILURE_POLICIES))
  causes.push(...optionalChoice(`${path}.matchPolicy`, hook.matchPolicy, MATCH_POLICIES))
  if (!isSet(hook.sideEffects)) {
    causes.push(required(`${path}.sideEffects`, `must specify one of ${SIDE_EFFECTS.join(', ')}`))
  } else if (!SIDE_EFFECTS.includes(textOf(hook.sideEffects))) {
    causes.push(notSupported(`${path}.sideEffects`, hook.sideEffects, SIDE_EFFECTS))
  }
  const seconds = numberOf(hook.timeoutSeconds)
  if (seconds < 1 || seconds > 30) {
    const detail = 'the timeout value must be between 1 and 30 seconds'
    causes.push(invalidValue(`${path}.timeoutSeconds`, seconds, detail))
  }
  return [
    ...causes,
    ...selectorErrors(`${path}.namespaceSelector`, hook.namespaceSelector),
    ...selectorErrors(`${path}.objectSelector`, hook.objectSelector),
    ...optionalChoice(`${path}.reinvocationPolicy`, hook.reinvocationPolicy, ['IfNeeded', 'Never']),
    ...webhookClientErrors(fieldsOf(hook.clientConfig), `${path}.clientConfig`),
    ...matchConditionErrors(hook.matchConditions, `${path}.matchConditions`),
    ...conditionErrors(hook, path, ahead),
  ]
}

/** Expressions that do not compile. */
function conditionErrors(hook: Fields, path: string, ahead: CompiledAhead): Cause[] {
  if (listOf(hook.matchConditions).length === 0) return []
  return ahead
    .take(hook)
    .conditions.flatMap(({ text, path: place, compiled }) =>
      compiled.problem === undefined || text.trim() === ''
        ? []
        : [invalidValue(place.replace(/^spec/, path), text, compiled.problem)],
    )
}

function nameErrors(name: string, path: string): Cause[] {
  if (name === '') return [required(path)]
  const found = dns1123Subdomain(name)
  if (found.length > 0) return [invalidValue(path, name, found.join(','))]
  if (name.split('.').length >= 3) return []
  return [invalidValue(path, name, 'should be a domain with at least three segments separated by dots')]
}
