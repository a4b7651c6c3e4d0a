// Rules of the template from which a workload creates its pods, and of the PodTemplate kind.

import { isObject, type KubeObject } from '@homeostat/meta'
import { type Cause, forbiddenField, invalidValue } from '@homeostat/meta/server'
import { type Fields, fieldsOf, listOf } from '../fields-of.ts'
import type { KindRules } from '../schema-strategy.ts'
import { ensure, qualified } from './field-checks.ts'
import { labelErrors, labelsOf, selectorOf } from './label-checks.ts'
import { podSpecErrors } from './pod-spec-checks.ts'
import { defaultPodSpec } from './pod-spec-defaults.ts'

export function defaultTemplate(parent: Fields, key = 'template'): void {
  const template = ensure(parent, key)
  ensure(template, 'metadata')
  defaultPodSpec(ensure(template, 'spec'))
}

export function templateErrors(template: unknown, path: string): Cause[] {
  const { metadata, spec } = fieldsOf(template)
  const { labels, annotations } = fieldsOf(metadata)
  const causes = [
    ...labelErrors(`${path}.labels`, labels),
    ...annotationErrors(annotations, `${path}.annotations`),
    ...podSpecErrors(fieldsOf(spec), `${path}.spec`, { isPod: false }),
  ]
  if (listOf(fieldsOf(spec).ephemeralContainers).length > 0) {
    causes.push(forbiddenField(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template'))
  }
  return causes
}

export function annotationErrors(annotations: unknown, path: string): Cause[] {
  return Object.keys(fieldsOf(annotations)).flatMap((key) => qualified(path, key.toLowerCase()))
}

/** Checks that a workload selects the pods that it creates. */
export function selectsTemplate(selector: unknown, template: unknown, path: string): Cause[] {
  const parsed = selectorOf(selector)
  const { labels } = fieldsOf(fieldsOf(template).metadata)
  // A missing selector selects nothing; another check refuses an empty one.
  if (!parsed || (isObject(selector) && (parsed.empty || parsed.matches(labelsOf(labels))))) return []
  const detail = '`selector` does not match template `labels`'
  return [invalidValue(`${path}.metadata.labels`, labels, detail)]
}

export const podTemplateRules: Partial<KindRules> = {
  applyDefaults: (object: KubeObject) => defaultTemplate(object),
  validate: (object: KubeObject) => (isObject(object.template) ? templateErrors(object.template, 'template') : []),
}
