// The names that a PostgresDatabase has elsewhere. Pure.

import { createHash } from 'node:crypto'
import { LONGEST_NAME } from '../../postgres/quote.ts'

interface Place {
  readonly name: string
  readonly namespace: string
}

/** Different for every object of a cluster: an underscore is in no name of Kubernetes. */
export function databaseNameOf({ name, namespace }: Place): string {
  const whole = `${namespace}_${name}`
  if (whole.length <= LONGEST_NAME) return whole
  const digest = createHash('sha256').update(whole).digest('hex').slice(0, 12)
  return `${whole.slice(0, LONGEST_NAME - digest.length - 1)}_${digest}`
}

/** The comment of the role. Without the uid, so that a resource that is made again finds what it retained. */
export function markOf({ name, namespace }: Place): string {
  return `homeostat PostgresDatabase ${namespace}/${name}`
}

export function secretNameOf(name: string): string {
  return `postgres-database-${name}`
}
