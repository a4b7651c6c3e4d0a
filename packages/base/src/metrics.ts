// Counters, gauges and histograms in the Prometheus text format. The metrics of the server, of the colony and of operators
// are built on it.
// Callers look up a child by its labels once and then count without a look-up, which costs nanoseconds. The number of
// children is bounded: label values beyond the limit share the child `other`.

/** More children of one metric than this are counted as one. */
const MAX_CHILDREN = 5_000
const SEPARATOR = '\u0000'

export interface Metric {
  render(): string
}

interface Named {
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
  /** Default: 5,000. */
  readonly maxChildren?: number
}

/** A number that only rises, or, as a gauge, any number. */
export class Count {
  value = 0
  #ask: (() => number) | undefined
  add(amount = 1): void {
    this.value += amount
  }
  set(value: number): void {
    this.value = value
  }
  /** From now on the value is read from the callback at every scrape. */
  ask(value: () => number): void {
    this.#ask = value
  }
  /** As the metric shows it. */
  get shown(): number {
    return this.#ask?.() ?? this.value
  }
}

/** A counter or a gauge: one number per combination of label values. */
export class Numbers implements Metric {
  readonly #children: Children<Count>
  readonly #head: string

  constructor(type: 'counter' | 'gauge', named: Named) {
    this.#head = head(type, named)
    this.#children = new Children(named, () => new Count())
  }

  /** The child with these label values, in the order in which the metric names its labels. */
  child(...values: string[]): Count {
    return this.#children.get(values)
  }

  render(): string {
    let text = this.#head
    for (const [labels, count] of this.#children.entries()) {
      text += `${labels.name}${braces(labels.pairs)} ${number(count.shown)}\n`
    }
    return text
  }
}

/** How often values fell below each bound. Bounds rise; the one without limit is implied. */
export class Distribution {
  readonly #bounds: readonly number[]
  readonly counts: Float64Array
  sum = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.counts = new Float64Array(bounds.length + 1)
  }

  observe(value: number): void {
    let index = 0
    while (index < this.#bounds.length && value > (this.#bounds[index] as number)) index++
    this.counts[index] = (this.counts[index] as number) + 1
    this.sum += value
  }
}

export class Histogram implements Metric {
  readonly #children: Children<Distribution>
  readonly #bounds: readonly number[]
  readonly #head: string

  constructor(named: Named & { readonly bounds: readonly number[] }) {
    this.#head = head('histogram', named)
    this.#bounds = named.bounds
    this.#children = new Children(named, () => new Distribution(named.bounds))
  }

  child(...values: string[]): Distribution {
    return this.#children.get(values)
  }

  render(): string {
    let text = this.#head
    for (const [{ name, pairs }, distribution] of this.#children.entries()) {
      let total = 0
      for (const [index, count] of distribution.counts.entries()) {
        total += count
        const bound = this.#bounds[index]
        const le = `le="${bound === undefined ? '+Inf' : bound}"`
        text += `${name}_bucket${braces(pairs ? `${pairs},${le}` : le)} ${total}\n`
      }
      text += `${name}_sum${braces(pairs)} ${number(distribution.sum)}\n`
      text += `${name}_count${braces(pairs)} ${total}\n`
    }
    return text
  }
}

interface Labels {
  readonly name: string
  /** `verb="get",code="200"`, escaped. */
  readonly pairs: string
}

class Children<T> {
  readonly #named: Named
  readonly #make: () => T
  readonly #known = new Map<string, readonly [Labels, T]>()

  constructor(named: Named, make: () => T) {
    this.#named = named
    this.#make = make
    if (!named.labels?.length) this.get([])
  }

  get(values: readonly string[]): T {
    const key = values.join(SEPARATOR)
    const known = this.#known.get(key)
    if (known) return known[1]
    const { labels = [], maxChildren = MAX_CHILDREN } = this.#named
    if (values.length !== labels.length) {
      throw new Error(`metric ${this.#named.name} has ${labels.length} labels, not ${values.length}`)
    }
    const other = labels.map(() => 'other')
    if (this.#known.size >= maxChildren && key !== other.join(SEPARATOR)) return this.get(other)
    const pairs = labels.map((label, index) => `${label}="${escapeValue(values[index] ?? '')}"`).join(',')
    const child = this.#make()
    this.#known.set(key, [{ name: this.#named.name, pairs }, child])
    return child
  }

  entries(): IterableIterator<readonly [Labels, T]> {
    return this.#known.values()
  }
}

function head(type: string, { name, help }: Named): string {
  return `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n`
}

function braces(pairs: string): string {
  return pairs === '' ? '' : `{${pairs}}`
}

function escapeValue(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

function number(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  return String(value)
}
