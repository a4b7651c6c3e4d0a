// What the process of an informer has in common with others: it says when all items were told, and how long each change
// took from its request to the handler. Its arguments are the port and how many items there are.

import { monotonicUs } from './monotonic.ts'

/** What the process says, in this order. */
export type Said = { readonly syncedMs: number } | { readonly p50Ms: number; readonly p99Ms: number }

/** `release` of a changed item is the time of its request. */
export function watchItems(open: (port: number, onItem: (release: string) => void) => Promise<void>): void {
  const [port = 0, items = 0, changes = 0] = process.argv.slice(2).map(Number)
  const delays = new Float64Array(changes)
  let told = 0
  let changed = 0
  const startedAt = performance.now()
  const onItem = (release: string) => {
    if (told < items) {
      told++
      if (told === items) say({ syncedMs: performance.now() - startedAt })
      return
    }
    delays[changed] = monotonicUs() - Number(release)
    changed++
    if (changed < changes) return
    delays.sort()
    say({ p50Ms: at(delays, 0.5), p99Ms: at(delays, 0.99) })
  }
  process.on('disconnect', () => process.exit(0))
  void open(port, onItem)
}

function at(delays: Float64Array, share: number): number {
  return (delays[Math.floor(share * (delays.length - 1))] ?? Number.NaN) / 1000
}

function say(said: Said): void {
  process.send?.(said)
}
