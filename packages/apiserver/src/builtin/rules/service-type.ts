// Adds the allocation of addresses and ports to the type of services: the one kind whose rules need to know the other
// objects of the kind.

import type { KubeObject } from '@homeostat/meta'
import type { CachedObject } from '../../cache/cached-object.ts'
import type { Registry } from '../../registry/registry.ts'
import type { ResourceType } from '../../registry/resource-type.ts'
import { typeWith } from '../../registry/type-with.ts'
import { ServiceAllocation } from './service-allocation.ts'

export function withServiceAddresses(types: readonly ResourceType[], registry: Registry): ResourceType[] {
  // What each service was parsed to, until it changes: every create of a service looks at all of them.
  const parsed = new WeakMap<CachedObject, KubeObject>()
  const allocation = new ServiceAllocation(() => storedServices(registry, parsed))
  return types.map((type) => (type.storage === 'core/services' ? allocatingType(type, allocation) : type))
}

function allocatingType(type: ResourceType, allocation: ServiceAllocation): ResourceType {
  return typeWith(type, {
    strategy: {
      ...type.strategy,
      allocate: (service, old) => allocation.allocate(service, old),
      allocationTicket: 'service-addresses',
    },
  })
}

function* storedServices(registry: Registry, parsed: WeakMap<CachedObject, KubeObject>): Iterable<KubeObject> {
  for (const object of registry.cache.resource('core/services').tree.objects()) {
    if (object.damage !== undefined) continue
    const known = parsed.get(object) ?? registry.parse(object)
    parsed.set(object, known)
    yield known
  }
}
