// What the colony does inside the server: everything. It reconciles kinds that nobody knows before they are defined, applies
// the children that administrators report, and makes roles for executors that join. Children that executors report are
// applied with the rights of the executor, not with these.

import type { DeclaredRule } from '@homeostat/apiserver'

export const colonyAccess: readonly DeclaredRule[] = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]
