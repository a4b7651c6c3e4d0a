// What `npm run bench` can be told.

import { parseArgs } from 'node:util'

export interface Options {
  /** Only rows whose text matches. */
  readonly only: RegExp | undefined
  /** A tenth of the operations: for trying things out, not for judging. */
  readonly quick: boolean
}

export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: { only: { type: 'string' }, quick: { type: 'boolean', default: false } },
  })
  return { only: values.only === undefined ? undefined : new RegExp(values.only), quick: values.quick }
}
