// The steps of priority in the write pipeline: a new pod gets the number of its PriorityClass, or of the one that is the
// default, and only one can be the default.

import { deepClone, forbidden, type KubeObject } from '@homeostat/meta'
import { fieldsOf, textOf } from '../builtin/fields-of.ts'
import { ensure, isSet, numberOf } from '../builtin/rules/field-checks.ts'
import { SYSTEM_PRIORITIES } from '../builtin/rules/scheduling-classes.ts'
import type { AdmissionStep, AdmittedWrite } from '../registry/admission-step.ts'
import type { CachedObjects } from './cached-objects.ts'

const CLASSES = 'scheduling.k8s.io/priorityclasses'
const DEFAULT = Buffer.from('"globalDefault":true')

export function prioritySteps(cached: CachedObjects): AdmissionStep[] {
  const classes = cached.resource(CLASSES)
  const byName = (name: string) => cached.parse(classes.tree.get(name))
  /** The default with the lowest number, should there be several. */
  const byDefault = (): KubeObject | undefined => {
    const found: KubeObject[] = []
    for (const one of classes.tree.objects()) {
      const parsed = one.bytes.includes(DEFAULT) ? cached.parse(one) : undefined
      if (parsed?.globalDefault === true) found.push(parsed)
    }
    return found.sort((a, b) => numberOf(a.value) - numberOf(b.value))[0]
  }
  return [
    {
      name: 'priority of pods',
      at: 'mutate',
      operations: ['CREATE'],
      applies: ({ type, subresource }) => type.storage === 'core/pods' && subresource === undefined,
      run(write) {
        const name = textOf(fieldsOf(write.object.spec).priorityClassName)
        const found = name === '' ? byDefault() : byName(name)
        if (name !== '' && found === undefined && SYSTEM_PRIORITIES[name] === undefined)
          throw refusal(write, `no PriorityClass with name ${name} was found`)
        prioritize(write, found)
      },
    },
    {
      name: 'one default priority',
      at: 'admit',
      applies: ({ type }) => type.storage === CLASSES,
      run(write) {
        if (write.object.globalDefault !== true) return
        const other = byDefault()
        if (other === undefined || other.metadata.name === write.object.metadata.name) return
        const text = `PriorityClass ${other.metadata.name} is already marked as default. Only one default can exist`
        throw refusal(write, text)
      },
    },
  ]
}

function prioritize(write: AdmittedWrite, found: KubeObject | undefined): void {
  const spec = fieldsOf(write.object.spec)
  const name = found?.metadata.name ?? textOf(spec.priorityClassName)
  const priority = found === undefined ? (SYSTEM_PRIORITIES[name] ?? 0) : numberOf(found.value)
  if (isSet(spec.priority) && numberOf(spec.priority) !== priority) {
    const text = `the integer value of priority (${numberOf(spec.priority)}) must not be provided in pod spec; priority admission controller computed ${priority} from the given PriorityClass name`
    throw refusal(write, text)
  }
  const policy = textOf(found?.preemptionPolicy) || 'PreemptLowerPriority'
  if (isSet(spec.preemptionPolicy) && spec.preemptionPolicy !== policy) {
    const text = `the string value of PreemptionPolicy (${textOf(spec.preemptionPolicy)}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`
    throw refusal(write, text)
  }
  // Nothing that the defaults would not write.
  if (found === undefined) return
  const changed = deepClone(write.object)
  Object.assign(ensure(changed, 'spec'), { priority, preemptionPolicy: policy, priorityClassName: name })
  write.object = changed
}

function refusal({ object, request: { type } }: AdmittedWrite, text: string) {
  return forbidden({ ...type, name: object.metadata.name ?? '' }, text)
}
