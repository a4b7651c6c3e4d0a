// What the kernel tells of a process of this machine that a test started, or had started. Linux only. Tests of programs that start others use it.

import { readFileSync } from 'node:fs'

/** A process that has ended and was not waited for counts as gone. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

/** The variables that it began with, each as `NAME=value`. */
export function environmentOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
}
