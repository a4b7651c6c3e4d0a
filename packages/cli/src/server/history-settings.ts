// How much history a store keeps, as both drivers take it.

import type { SqliteStoreOptions } from '@homeostat/store'
import type { Values } from '../options/option-table.ts'

type HistoryValues = Values<'history-versions' | 'history-age' | 'history-size' | 'history-kind-size'>

export function historySettings(values: HistoryValues) {
  return {
    historyPerKey: values['history-versions'],
    historyMs: values['history-age'],
    historyBytes: values['history-size'],
    historyKindBytes: values['history-kind-size'],
  } satisfies Partial<SqliteStoreOptions>
}
