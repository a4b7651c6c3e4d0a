// One value of a table: times age by themselves, states have a colour beside their word, everything else is text.

import { Age } from './age.tsx'
import { healthOf } from './health.ts'

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/
/** A longer one would make its row as wide as it likes. */
const LONGEST = 200
const LONGEST_TITLE = 2000

export function Cell({ name, value }: { readonly name: string; readonly value: unknown }) {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' && TIME.test(value)) return <Age time={value} />
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const health = healthOf(name, text)
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
  return health === undefined ? (
    <span title={text.slice(0, LONGEST_TITLE)}>{short}</span>
  ) : (
    <span className={`state ${health}`}>{short}</span>
  )
}
