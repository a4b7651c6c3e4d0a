// The options of `npm run bench`.

import { parseArgs } from 'node:util'

export interface Options {
  /** Measures only rows whose text matches. */
  readonly only: RegExp | undefined
  /** Runs a tenth of the operations: for trying things out, not for judging. */
  readonly quick: boolean
  /** Another clone: compares the cost of requests with its code instead of measuring the rows. */
  readonly against: string | undefined
  /** Prints what grows with so many objects at most, instead of measuring the rows. */
  readonly curves: number | undefined
}

const HELP = `usage: npm run bench [-- --only REGEX] [--quick] [--against FOLDER] [--curves OBJECTS]

  --only REGEX  measure only the rows whose text matches
  --quick       a tenth of the operations: for trying things out, not for judging
  --against FOLDER
                compare requests with another clone of this repository, in turns, and fail when one got worse
  --curves OBJECTS
                print what grows with the number of objects and watchers, on SQLite and etcd; 100000 takes half an hour

HOMEOSTAT_KUBE_APISERVER names a kube-apiserver, which rows on etcd are compared with; without it they are left out.

A full run takes about half an hour and writes docs/benchmarks.md.`

export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      against: { type: 'string' },
      curves: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    console.log(HELP)
    process.exit(0)
  }
  const only = values.only === undefined ? undefined : new RegExp(values.only)
  return {
    only,
    quick: values.quick,
    against: values.against,
    curves: values.curves === undefined ? undefined : Number(values.curves),
  }
}
