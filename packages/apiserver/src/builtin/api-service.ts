// APIService: says that a group and version is served here. The server alone writes them.

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
