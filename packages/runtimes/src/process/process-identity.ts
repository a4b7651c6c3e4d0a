// Identifies a process beyond its pid, since the system reuses pids after an exit and after a reboot.
// Check the identity before a signal to a process that was not started just now.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface ProcessIdentity {
  readonly pid: number
  /** The start time, in the format of the system. */
  readonly started: string
  /** The id of the boot in which it started. */
  readonly boot: string
}

/** Undefined when there is no such process, or only a zombie. */
export function identityOf(pid: number): ProcessIdentity | undefined {
  const started = process.platform === 'linux' ? startOnLinux(pid) : startByPs(pid)
  return started === undefined ? undefined : { pid, started, boot: bootId() }
}

export function isAlive(identity: ProcessIdentity): boolean {
  if (identity.boot !== bootId()) return false
  return identityOf(identity.pid)?.started === identity.started
}

function startOnLinux(pid: number): string | undefined {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return undefined
  }
  return startFromStat(stat)
}

/** Field 22 of /proc/PID/stat. The name in field 2 may contain anything, so fields are counted from its last parenthesis. */
export function startFromStat(stat: string): string | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const state = fields[0]
  return state === 'Z' || state === 'X' ? undefined : fields[19]
}

/** macOS, untested: the start time in seconds, so a pid that is reused within one second is mistaken. */
function startByPs(pid: number): string | undefined {
  try {
    const [state = '', ...started] = output('ps', ['-o', 'state=,lstart=', '-p', String(pid)]).split(/\s+/)
    return state.startsWith('Z') || started.length === 0 ? undefined : started.join(' ')
  } catch {
    return undefined
  }
}

let boot: string | undefined

function bootId(): string {
  boot ??=
    process.platform === 'linux'
      ? readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
      : output('sysctl', ['-n', 'kern.boottime'])
  return boot
}

function output(program: string, args: readonly string[]): string {
  return execFileSync(program, args, {
    encoding: 'utf8',
    env: { PATH: '/bin:/usr/bin:/sbin:/usr/sbin', LC_ALL: 'C' },
  }).trim()
}
