// An item that is 4.5 KB of JSON with its managed fields, as large as a common Pod. Informers are measured with it.

import { itemBody } from './item.ts'

const VARIABLES = 14

export function largeItemBody(): string {
  const item = JSON.parse(itemBody('{n}', 'r-1')) as { spec: { env: { name: string; value: string }[] } }
  for (let i = 0; i < VARIABLES; i++) {
    item.spec.env.push({ name: `SETTING_${i}`, value: `what the setting number ${i} is set to` })
  }
  return JSON.stringify(item)
}
