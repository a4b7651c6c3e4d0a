// Reads the Prometheus text format. Pure. A line that is none is left out: the rest is worth showing.

export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})?\s+(\S+)(?:\s+-?\d+)?\s*$/
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"\s*,?\s*/y

/** Only names that are wanted: a server has thousands of buckets that nobody looks at. */
export function readSamples(text: string, wanted: (name: string) => boolean): Sample[] {
  const samples: Sample[] = []
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const end = line.search(/[{\s]/)
    if (end < 0 || !wanted(line.slice(0, end))) continue
    const [, name, labels = '', number = ''] = LINE.exec(line) ?? []
    const value = numberIn(number)
    if (name === undefined || value === undefined) continue
    const read = readLabels(labels)
    if (read !== undefined) samples.push({ name, labels: read, value })
  }
  return samples
}

function numberIn(text: string): number | undefined {
  if (text === '+Inf') return Number.POSITIVE_INFINITY
  if (text === '-Inf') return Number.NEGATIVE_INFINITY
  const value = Number(text)
  return text === '' || Number.isNaN(value) ? undefined : value
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', '"': '"', '\\': '\\' }

function readLabels(text: string): Record<string, string> | undefined {
  const labels: Record<string, string> = Object.create(null)
  LABEL.lastIndex = 0
  let at = 0
  while (at < text.length) {
    const [all, name = '', value = ''] = LABEL.exec(text) ?? []
    if (all === undefined) return undefined
    labels[name] = value.replace(/\\(.)/g, (_, sign: string) => ESCAPED[sign] ?? sign)
    at += all.length
  }
  return labels
}

/** The sum of all samples of a name whose labels are as given. */
export function sumOf(
  samples: readonly Sample[],
  name: string,
  wanted: (labels: Sample['labels']) => boolean = () => true,
): number | undefined {
  let sum: number | undefined
  for (const sample of samples) if (sample.name === name && wanted(sample.labels)) sum = (sum ?? 0) + sample.value
  return sum
}
