// An apply or a PUT that creates the object needs the right to create it, besides the one to patch or update: whether it
// creates is known only when the write has looked. A step of the write pipeline.

import { MASTERS } from '../identity/user.ts'
import type { AdmissionStep } from '../registry/admission-step.ts'
import type { Authorizer } from './authorize.ts'
import { requirePermission } from './require-permission.ts'

export function createRightStep(authorizer: Authorizer): AdmissionStep {
  return {
    name: 'right to create',
    // Before anything is validated, as the right to the request itself.
    at: 'mutate',
    operations: ['CREATE'],
    // The URL of a POST has no name, and its right was checked.
    applies: ({ user, name, subresource }) =>
      name !== undefined && subresource === undefined && !user.groups.includes(MASTERS),
    run({ request: { user, type, namespace = '', name = '' } }) {
      const { group, resource } = type
      return requirePermission(authorizer, user, { verb: 'create', group, resource, subresource: '', namespace, name })
    },
  }
}
