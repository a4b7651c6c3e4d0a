// The ServiceCIDR `kubernetes`: the address range of services, as an object that clients can read.

import type { Clock } from '@homeostat/base'
import { isStatusError, rfc3339 } from '@homeostat/meta'
import { SERVICE_RANGE } from '../builtin/rules/service-allocation.ts'
import type { Api, ResourceName } from '../registry/api.ts'

const RANGES: ResourceName = { group: 'networking.k8s.io', resource: 'servicecidrs' }
const PLACE = { name: 'kubernetes' }

/** Creates it if it is missing. It is Ready from the start, because this server allocates the addresses itself. */
export async function ensureServiceRange(api: Api, clock: Clock): Promise<void> {
  if (!api.serves(RANGES) || api.object(RANGES, PLACE)) return
  const ready = {
    type: 'Ready',
    status: 'True',
    reason: '',
    message: 'Kubernetes default Service CIDR is ready',
    lastTransitionTime: rfc3339(clock.now()),
  }
  try {
    await api.create(RANGES, {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'ServiceCIDR',
      metadata: { ...PLACE },
      spec: { cidrs: [SERVICE_RANGE] },
    })
  } catch (error) {
    if (!isStatusError(error, 'AlreadyExists')) throw error
  }
  const subresource = 'status'
  await api.change(RANGES, PLACE, (range) => Object.assign(range, { status: { conditions: [ready] } }), { subresource })
}
