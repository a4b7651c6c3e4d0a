// One row of the result table: what was measured, the reference, and whether the bar is met.

import type { Compared, Cost } from './measure.ts'

export interface Finding {
  readonly work: string
  readonly ours: string
  /** The reference; empty where the bar is a fixed number. */
  readonly reference: string
  readonly oursTime: string
  readonly referenceTime: string
  readonly result: string
  readonly bar: string
  readonly met: boolean
}

/** A bar on the fraction of the bare server's speed that ours reaches, by CPU. */
export function shareOfBare(work: string, { ours, bare }: Compared<Cost>, bar: number): Finding {
  const share = bare.cpuUs / ours.cpuUs
  return {
    work,
    ours: `${duration(ours.cpuUs)} CPU`,
    reference: `${duration(bare.cpuUs)} CPU`,
    oursTime: times(ours),
    referenceTime: times(bare),
    result: share.toFixed(2),
    bar: `>= ${bar}`,
    met: share >= bar,
  }
}

/** A bar on CPU per operation. */
export function atMostCpu(work: string, ours: Cost, barMs: number): Finding {
  const text = `${duration(ours.cpuUs)} CPU`
  const time = { oursTime: times(ours), referenceTime: '' }
  return {
    work,
    ours: text,
    reference: '',
    ...time,
    result: text,
    bar: `<= ${barMs} ms CPU`,
    met: ours.cpuUs <= barMs * 1000,
  }
}

/** A bar on resident memory, or on its growth over a reference. */
export function atMostMemory(work: string, oursMiB: number, referenceMiB: number | undefined, barMiB: number): Finding {
  const rise = oursMiB - (referenceMiB ?? 0)
  const sign = referenceMiB === undefined ? '' : '+'
  return {
    work,
    ours: mebibytes(oursMiB),
    reference: referenceMiB === undefined ? '' : mebibytes(referenceMiB),
    oursTime: '',
    referenceTime: '',
    result: `${sign}${mebibytes(rise)}`,
    bar: `<= ${sign}${barMiB} MiB`,
    met: rise <= barMiB,
  }
}

/** A bar on ours as a multiple of the reference, both in microseconds. */
export function atMostTimes(
  work: string,
  values: { ours: number; reference: number; unit: 'CPU' | 'time' },
  bar: number,
): Finding {
  const ratio = values.ours / values.reference
  const [ours, reference] = [duration(values.ours), duration(values.reference)]
  const byCpu = values.unit === 'CPU'
  return {
    work,
    ours: byCpu ? `${ours} CPU` : '',
    reference: byCpu ? `${reference} CPU` : '',
    oursTime: byCpu ? '' : ours,
    referenceTime: byCpu ? '' : reference,
    result: `${ratio.toFixed(2)}x`,
    bar: `<= ${bar}x`,
    met: ratio <= bar,
  }
}

/** A bar on resident memory as a multiple of the reference. */
export function atMostTimesMemory(work: string, oursMiB: number, referenceMiB: number, bar: number): Finding {
  const ratio = oursMiB / referenceMiB
  return {
    work,
    ours: mebibytes(oursMiB),
    reference: mebibytes(referenceMiB),
    oursTime: '',
    referenceTime: '',
    result: `${ratio.toFixed(2)}x`,
    bar: `<= ${bar}x`,
    met: ratio <= bar,
  }
}

/** A bar on a number; `aside` adds detail. */
export function atMostCount(work: string, ours: number, bar: number, aside: string): Finding {
  const text = Number.isInteger(ours) ? String(ours) : ours.toFixed(2)
  const rest = { reference: '', oursTime: aside, referenceTime: '' }
  return { work, ours: text, ...rest, result: text, bar: `<= ${bar}`, met: ours <= bar }
}

/** A bar on a rate as a multiple of the reference. */
export function atLeastTimes(
  work: string,
  values: { ours: number; reference: number; unit: string },
  bar: number,
): Finding {
  const ratio = values.ours / values.reference
  return {
    work,
    ours: '',
    reference: '',
    oursTime: `${Math.round(values.ours)} ${values.unit}`,
    referenceTime: `${Math.round(values.reference)} ${values.unit}`,
    result: `${ratio.toFixed(2)}x`,
    bar: `>= ${bar}x`,
    met: ratio >= bar,
  }
}

/** A row for comparison, without a bar. */
export function reported(work: string, oursTime: string, referenceTime: string, result = ''): Finding {
  return { work, ours: '', reference: '', oursTime, referenceTime, result, bar: 'none', met: true }
}

/** A row that could not be measured counts as missed. */
export function unmeasured(work: string): Finding {
  const nothing = { ours: '', reference: '', oursTime: '', referenceTime: '', bar: '' }
  return { work, ...nothing, result: 'not measured', met: false }
}

export function milliseconds(value: number): string {
  return duration(value * 1000)
}

function times({ wallUs, p50Ms, p99Ms }: Cost): string {
  return `${duration(wallUs)} (p50 ${duration(p50Ms * 1000)}, p99 ${duration(p99Ms * 1000)})`
}

function duration(microseconds: number): string {
  if (microseconds < 1000) return `${microseconds.toFixed(microseconds < 10 ? 2 : 0)} µs`
  return `${(microseconds / 1000).toFixed(microseconds < 100_000 ? 1 : 0)} ms`
}

function mebibytes(value: number): string {
  return `${value.toFixed(1)} MiB`
}
