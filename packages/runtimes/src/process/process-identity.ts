// Which process a pid means: a pid alone is given to others once its process has ended, and all of them after a reboot.
// Whoever signals a process it did not just start asks here first.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface ProcessIdentity {
  readonly pid: number
  /** When it started, in the words of its system. */
  readonly started: string
  /** The boot of the machine in which it did. */
  readonly boot: string
}

/** Undefined when there is no such process, or only what is left of it until its parent asks. */
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

/** Field 22 of /proc/PID/stat. The name in field 2 may hold anything, so fields count from its last parenthesis. */
export function startFromStat(stat: string): string | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const state = fields[0]
  return state === 'Z' || state === 'X' ? undefined : fields[19]
}

/** macOS, untested: the start to the second, so a pid that was given away and back within one would be mistaken. */
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
