// Some writes need more permissions than the one for their path: those that the rules of an add-on name for what the
// object says. An added step of the write pipeline, for the kinds with such rules.

import { MASTERS } from '../identity/user.ts'
import type { AdmissionStep, AdmittedWrite } from '../registry/admission-step.ts'
import type { TypeRules } from '../registry/type-rules.ts'
import type { WriteRequest } from '../registry/write-request.ts'
import type { Authorizer } from './authorize.ts'
import { requirePermission } from './require-permission.ts'

/** Undefined when no rules name permissions. */
export function writePermissionsStep(all: readonly TypeRules[], authorizer: Authorizer): AdmissionStep | undefined {
  const asking = all.filter(({ permissions }) => permissions !== undefined)
  if (asking.length === 0) return undefined
  const rulesFor = ({ type }: WriteRequest) =>
    asking.find(({ group, resource }) => group === type.group && resource === type.resource)
  return {
    name: 'permissions of add-ons',
    at: 'admit',
    applies: (request) => !request.user.groups.includes(MASTERS) && rulesFor(request) !== undefined,
    async run(write: AdmittedWrite) {
      const needed = rulesFor(write.request)?.permissions?.(write) ?? []
      for (const attributes of needed) await requirePermission(authorizer, write.request.user, attributes)
    },
  }
}
