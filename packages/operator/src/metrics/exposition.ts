// Numbers with labels in the Prometheus text format. Label values must come from a small set, such as kinds; beyond
// a limit of combinations they are counted together under `other`.

const MAX_SERIES = 500

export interface MetricName {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
}

/** A counter, or a gauge that is set or asked when it is shown. */
export class Metric {
  readonly #type: 'counter' | 'gauge'
  readonly #name: MetricName
  readonly #values = new Map<string, () => number>()
  readonly #counts = new Map<string, number>()

  constructor(type: 'counter' | 'gauge', name: MetricName) {
    this.#type = type
    this.#name = name
  }

  add(labels: readonly string[], amount = 1): void {
    const text = this.#series(labels)
    this.#counts.set(text, (this.#counts.get(text) ?? 0) + amount)
  }

  /** The value is asked for whenever the metrics are shown. */
  ask(labels: readonly string[], value: () => number): void {
    this.#values.set(this.#series(labels), value)
  }

  render(): string {
    let text = head(this.#type, this.#name)
    for (const [labels, count] of this.#counts) text += `${this.#name.name}${braces(labels)} ${count}\n`
    for (const [labels, value] of this.#values) text += `${this.#name.name}${braces(labels)} ${value()}\n`
    return text
  }

  #series(labels: readonly string[]): string {
    return boundedLabels(
      this.#name,
      labels,
      (text) => this.#counts.has(text) || this.#values.has(text),
      () => this.#counts.size + this.#values.size,
    )
  }
}

/** How many observations were at most each bound. */
export class Histogram {
  readonly #name: MetricName
  readonly #bounds: readonly number[]
  readonly #series = new Map<string, { readonly counts: number[]; sum: number }>()

  constructor(name: MetricName, bounds: readonly number[]) {
    this.#name = name
    this.#bounds = bounds
  }

  observe(labels: readonly string[], value: number): void {
    const text = boundedLabels(
      this.#name,
      labels,
      (known) => this.#series.has(known),
      () => this.#series.size,
    )
    const series = this.#series.get(text) ?? { counts: new Array<number>(this.#bounds.length + 1).fill(0), sum: 0 }
    this.#series.set(text, series)
    const found = this.#bounds.findIndex((bound) => value <= bound)
    const at = found === -1 ? this.#bounds.length : found
    series.counts[at] = (series.counts[at] ?? 0) + 1
    series.sum += value
  }

  render(): string {
    const { name } = this.#name
    let text = head('histogram', this.#name)
    for (const [labels, { counts, sum }] of this.#series) {
      let total = 0
      for (const [at, count] of counts.entries()) {
        total += count
        const le = `le="${this.#bounds[at] ?? '+Inf'}"`
        text += `${name}_bucket${braces(labels === '' ? le : `${labels},${le}`)} ${total}\n`
      }
      text += `${name}_sum${braces(labels)} ${sum}\n${name}_count${braces(labels)} ${total}\n`
    }
    return text
  }
}

function boundedLabels(
  metric: MetricName,
  values: readonly string[],
  isKnown: (text: string) => boolean,
  size: () => number,
): string {
  const text = labelText(metric.labels, values)
  if (isKnown(text) || size() < MAX_SERIES) return text
  return labelText(
    metric.labels,
    metric.labels.map(() => 'other'),
  )
}

function labelText(labels: readonly string[], values: readonly string[]): string {
  return labels.map((label, at) => `${label}="${escapeValue(values[at] ?? '')}"`).join(',')
}

function head(type: string, { name, help }: MetricName): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`
}

function braces(labels: string): string {
  return labels === '' ? '' : `{${labels}}`
}

function escapeValue(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
