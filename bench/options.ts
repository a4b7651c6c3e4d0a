// The options of `npm run bench`.

import { parseArgs } from 'node:util'

export interface Options {
  /** Measures only rows whose text matches. */
  readonly only: RegExp | undefined
  /** Runs a tenth of the operations: for trying things out, not for judging. */
  readonly quick: boolean
}

export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: { only: { type: 'string' }, quick: { type: 'boolean', default: false } },
  })
  return { only: values.only === undefined ? undefined : new RegExp(values.only), quick: values.quick }
}
