// The types whose objects are stored in the form of another type, by `group/resource/version`.

import type { StoredForm } from '../builtin-kind.ts'
import { eventConversion } from './event-conversion.ts'
import { hpaConversion } from './hpa-conversion.ts'

export const STORED_FORMS: Readonly<Record<string, StoredForm>> = {
  'autoscaling/horizontalpodautoscalers/v1': {
    storage: 'autoscaling/horizontalpodautoscalers',
    version: 'v2',
    conversion: hpaConversion,
  },
  'events.k8s.io/events/v1': { storage: 'core/events', version: 'v1', conversion: eventConversion },
}
