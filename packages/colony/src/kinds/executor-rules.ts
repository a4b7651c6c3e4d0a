// The rules for writes to an Executor: an account that registers itself is recorded in it.

import type { WriteRules } from '@homeostat/apiserver'
import { accountOf } from './executor-permissions.ts'

export const executorRules: WriteRules = {
  prepareForCreate(object, user) {
    const spec = object.spec as { serviceAccountName?: string }
    const account = user && accountOf(user.username, object.metadata.namespace ?? '')
    if (account !== undefined) spec.serviceAccountName ??= account
  },
}
