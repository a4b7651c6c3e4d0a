// Reads the usage of a running process from /proc: CPU of all its threads, and resident memory. Linux only, as is the
// bench.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** CPU microseconds of all threads of the process. */
export function cpuUs(pid: number): number {
  let nanoseconds = 0
  for (const thread of readdirSync(`/proc/${pid}/task`)) nanoseconds += threadNanoseconds(pid, thread)
  return nanoseconds / 1000
}

/** 0 for a thread that ended since it was seen. */
function threadNanoseconds(pid: number, thread: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ', 1)[0])
  } catch {
    return 0
  }
}

/** The same, once the process is idle: work after its last response counts, too. */
export async function settledCpuUs(pid: number): Promise<number> {
  let before = cpuUs(pid)
  for (let i = 0; i < 100; i++) {
    await sleep(10)
    const now = cpuUs(pid)
    if (now - before < 200) return now
    before = now
  }
  return before
}

export function residentMiB(pid: number): number {
  return statusMiB(pid, 'VmRSS')
}

/** Resets the peak of resident memory, so that `peakMiB` returns the peak from now on. */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

export function peakMiB(pid: number): number {
  return statusMiB(pid, 'VmHWM')
}

function statusMiB(pid: number, field: string): number {
  const value = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
  if (value === undefined) throw new Error(`process ${pid} has no ${field}`)
  return Number(value) / 1024
}
