// The options of `npm run bench`.

import { parseArgs } from 'node:util'
import type { CurveLimits } from './curves/curves.ts'

export interface Options {
  /** Measures only rows whose text matches. */
  readonly only: RegExp | undefined
  /** Runs a tenth of the operations: for trying things out, not for judging. */
  readonly quick: boolean
  /** Another clone: compares the cost of requests with its code instead of measuring the rows. */
  readonly against: string | undefined
  /** Prints what grows up to there, instead of measuring the rows. */
  readonly curves: CurveLimits | undefined
}

const WATCHERS = 2000

const HELP = `usage: npm run bench [-- --only REGEX] [--quick] [--against FOLDER] [--curves OBJECTS [--watchers N]]

  --only REGEX  measure only the rows whose text matches
  --quick       a tenth of the operations: for trying things out, not for judging
  --against FOLDER
                compare requests with another clone of this repository, in turns, and fail when one got worse
  --curves OBJECTS
                print what grows with the number of objects, watchers and servers, on SQLite and etcd; 100000 takes half an hour
  --watchers N  with --curves: the most watchers; default ${WATCHERS}

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
      watchers: { type: 'string' },
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
    curves: curveLimits(values),
  }
}

function curveLimits({ curves, watchers }: { curves?: string; watchers?: string }): CurveLimits | undefined {
  if (curves !== undefined)
    return { objects: whole('--curves', curves), watchers: whole('--watchers', watchers ?? String(WATCHERS)) }
  if (watchers !== undefined) throw new Error('--watchers goes with --curves OBJECTS')
  return undefined
}

function whole(option: string, text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new Error(`${option} is a whole number from 1 to 9999999, not ${text}`)
  return Number(text)
}
