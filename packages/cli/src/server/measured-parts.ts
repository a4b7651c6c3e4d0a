// The metrics of an add-on whose program runs several times: once for each shard that this server leads, and anew after each
// start. Of equal names and labels the numbers add up; those of a program that has ended are gone.

import type { ApiServer } from '@homeostat/apiserver'
import type { Metric } from '@homeostat/base'

export class MeasuredParts implements Metric {
  readonly #server: Pick<ApiServer, 'measure'>
  readonly #parts = new Map<number | undefined, Metric[]>()

  constructor(server: Pick<ApiServer, 'measure'>) {
    this.#server = server
  }

  /** What a program that starts calls with each of its metrics. */
  begin(shard: number | undefined): (metric: Metric) => void {
    if (this.#parts.size === 0) this.#server.measure(this)
    const metrics: Metric[] = []
    this.#parts.set(shard, metrics)
    return (metric) => metrics.push(metric)
  }

  render(): string {
    if (this.#parts.size === 1)
      return [...this.#parts.values()]
        .flat()
        .map((metric) => metric.render())
        .join('')
    // In the order of the first: the lines of a metric stay below its head.
    const numbers = new Map<string, number | undefined>()
    const heads = new Map<string, string[]>()
    let lines: string[] = []
    for (const line of [...this.#parts.values()].flat().flatMap((metric) => metric.render().split('\n'))) {
      if (line.startsWith('# HELP ')) {
        lines = heads.get(line) ?? []
        heads.set(line, lines)
      }
      const space = line.lastIndexOf(' ')
      if (line === '') continue
      const name = line.startsWith('#') ? line : line.slice(0, space)
      if (!numbers.has(name)) lines.push(name)
      numbers.set(name, line.startsWith('#') ? undefined : (numbers.get(name) ?? 0) + Number(line.slice(space + 1)))
    }
    return [...heads.values()]
      .flat()
      .map((name) => written(name, numbers.get(name)))
      .join('')
  }
}

function written(name: string, number: number | undefined): string {
  return number === undefined ? `${name}\n` : `${name} ${number}\n`
}
