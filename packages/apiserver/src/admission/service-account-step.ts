// A new pod runs as a ServiceAccount that exists, and gets its pull secrets. A step of the write pipeline. The account
// `default` of a namespace that was just made is waited for.

import { deepClone, forbidden, type KubeObject } from '@homeostat/meta'
import { fieldsOf, listOf, textOf } from '../builtin/fields-of.ts'
import { ensure } from '../builtin/rules/field-checks.ts'
import type { CachedObject } from '../cache/cached-object.ts'
import type { ResourceCache } from '../cache/resource-cache.ts'
import type { AdmissionStep } from '../registry/admission-step.ts'
import type { CachedObjects } from './cached-objects.ts'

const WAIT_MS = 2000
/** The kubelet's own pods name the file that they come from and have no account. */
const MIRROR = 'kubernetes.io/config.mirror'

export function serviceAccountStep(cached: CachedObjects): AdmissionStep {
  const accounts = cached.resource('core/serviceaccounts')
  return {
    name: 'service account of pods',
    at: 'mutate',
    operations: ['CREATE'],
    applies: ({ type, subresource }) => type.storage === 'core/pods' && subresource === undefined,
    waits: true,
    run(write) {
      const { object, request } = write
      if (object.metadata.annotations?.[MIRROR] !== undefined) return
      const name = accountOf(object)
      const place = `${request.namespace}/${name}`
      const admit = (found: CachedObject | undefined) => {
        const account = cached.parse(found)
        if (account === undefined) {
          const text = `error looking up service account ${place}: serviceaccount "${name}" not found`
          throw forbidden({ ...request.type, name: object.metadata.name ?? '' }, text)
        }
        write.object = withPullSecrets(object, account)
      }
      const found = accounts.tree.get(place)
      if (found !== undefined || name !== 'default') return admit(found)
      return appears(accounts, place).then(admit)
    },
  }
}

function accountOf({ spec }: KubeObject): string {
  const { serviceAccountName, serviceAccount } = fieldsOf(spec)
  return textOf(serviceAccountName) || textOf(serviceAccount) || 'default'
}

function withPullSecrets(pod: KubeObject, { imagePullSecrets }: KubeObject): KubeObject {
  const secrets = listOf(imagePullSecrets)
  if (secrets.length === 0 || listOf(fieldsOf(pod.spec).imagePullSecrets).length > 0) return pod
  const changed = deepClone(pod)
  ensure(changed, 'spec').imagePullSecrets = deepClone(secrets)
  return changed
}

/** The account, once it is there; undefined when that takes too long. */
function appears(accounts: ResourceCache, place: string): Promise<CachedObject | undefined> {
  return new Promise((resolve) => {
    const finish = () => {
      stop()
      clearTimeout(timer)
      resolve(accounts.tree.get(place))
    }
    const stop = accounts.subscribe((changes) => {
      if (changes.some(({ object }) => object?.name === place)) finish()
    })
    const timer = setTimeout(finish, WAIT_MS)
  })
}
