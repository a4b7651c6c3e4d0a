// APIService: states that this server serves a group and version. Only the server writes them.

import type { KindRules } from './schema-strategy.ts'

export const apiServiceRules: Partial<KindRules> = {
  prepareForCreate(object) {
    const available = {
      type: 'Available',
      status: 'True',
      lastTransitionTime: object.metadata.creationTimestamp ?? null,
      reason: 'Local',
      message: 'Local APIServices are always available',
    }
    object.status = { conditions: [available] }
  },
}
