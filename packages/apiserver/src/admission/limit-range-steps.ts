// The LimitRanges' steps in the write pipeline: new pods get the defaults of their namespace, and pods and claims outside
// of its limits are refused.

import { forbidden } from '@homeostat/meta'
import type { AdmissionStep, AdmittedWrite } from '../registry/admission-step.ts'
import type { WriteRequest } from '../registry/write-request.ts'
import type { CachedObjects } from './cached-objects.ts'
import { claimViolations, podViolations, withDefaults } from './limit-range.ts'

const RANGES = 'core/limitranges'

export function limitRangeSteps(cached: CachedObjects): AdmissionStep[] {
  const concerns =
    (resource: string) =>
    ({ type, namespace, subresource }: WriteRequest) =>
      type.storage === resource && subresource === undefined && cached.has(RANGES, namespace)
  const rangesOf = ({ request }: AdmittedWrite) => cached.inNamespace(RANGES, request.namespace ?? '')
  return [
    {
      name: 'limit range, defaults',
      at: 'mutate',
      operations: ['CREATE'],
      applies: concerns('core/pods'),
      run: (write) => {
        write.object = withDefaults(write.object, rangesOf(write))
      },
    },
    {
      name: 'limit range, pods',
      at: 'admit',
      operations: ['CREATE'],
      applies: concerns('core/pods'),
      run: (write) => refuse(write, podViolations(write.object, rangesOf(write))),
    },
    {
      name: 'limit range, claims',
      at: 'admit',
      applies: concerns('core/persistentvolumeclaims'),
      run: (write) => refuse(write, claimViolations(write.object, rangesOf(write))),
    },
  ]
}

function refuse({ object, request: { type } }: AdmittedWrite, found: readonly string[]): void {
  if (found.length === 0) return
  const unique = [...new Set(found)]
  const text = unique.length === 1 ? unique[0] : `[${unique.join(', ')}]`
  throw forbidden({ ...type, name: object.metadata.name ?? '' }, text ?? '')
}
