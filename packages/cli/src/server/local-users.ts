// The users of this machine that `up --local-users` lets in, as uids. Names and groups are looked up once, at the start.

import { execFileSync } from 'node:child_process'
import { accessSync, constants, readFileSync } from 'node:fs'
import { Fault, systemCode, usageFault } from '../fault.ts'

export interface Machine {
  readonly platform: NodeJS.Platform
  /** The server's own user. */
  readonly uid: number | undefined
  /** Lines of passwd or group: all, or those of one key. */
  entries(database: Database, key?: string): readonly string[]
}

export type Database = 'passwd' | 'group'

export interface LocalUsersValues {
  readonly runtime: readonly string[]
  readonly 'local-users': readonly string[]
}

const ROOT = 0

/** Returns `all` for --local-users all, and on systems that do not tell users apart if no runtime runs their programs. */
export function localUsers(values: LocalUsersValues, machine: Machine = thisMachine): ReadonlySet<number> | 'all' {
  const asked = values['local-users']
  const names = asked.filter((name) => name !== 'own')
  if (names.includes('all')) {
    if (asked.length > 1) throw usageFault('--local-users all lets everyone in; leave out the other names')
    return 'all'
  }
  if (machine.platform !== 'linux' || machine.uid === undefined) return untold(values, names)
  return new Set([machine.uid, ROOT, ...names.flatMap((name) => numbers(name, machine))])
}

/** For a port behind which are the credentials of a kubeconfig. Throws where nobody can tell who connects, unless all are let in. */
export function usersOfCredentials(
  asked: readonly string[],
  machine: Machine = thisMachine,
): ReadonlySet<number> | 'all' {
  const users = localUsers({ runtime: [], 'local-users': asked }, machine)
  if (users === 'all' && !asked.includes('all'))
    throw new Fault(
      'on this system the command cannot tell users of the machine apart, and each of them could use the credentials of your ' +
        'kubeconfig; if you are the only one, add --local-users all',
    )
  return users
}

/** Throws unless the system's table of connections can be read, which names the uid of a peer. */
export function checkConnectionTable(): void {
  try {
    accessSync(TABLE, constants.R_OK)
  } catch (cause) {
    throw new Fault(
      `${TABLE} cannot be read, and nothing else tells who connects; mount /proc, or add --local-users all`,
      {
        cause,
      },
    )
  }
}

const TABLE = '/proc/self/net/tcp'

function untold({ runtime }: LocalUsersValues, names: readonly string[]): 'all' {
  const real = runtime.find((name) => name === 'process' || name === 'docker')
  if (real !== undefined)
    throw new Fault(
      `--runtime ${real}: on this system the server cannot tell users of the machine apart, and each could run programs ` +
        `as you; if you are the only one, add --local-users all`,
    )
  if (names.length > 0)
    throw new Fault(
      `--local-users ${names.join(',')}: on this system the server cannot tell users of the machine apart`,
    )
  return 'all'
}

/** The uids that a name stands for: a user, a number, or all users of @group. */
function numbers(name: string, machine: Machine): number[] {
  if (/^\d{1,10}$/.test(name)) return [Number(name)]
  if (!name.startsWith('@')) return [userNumber(name, machine)]
  const [line] = machine.entries('group', name.slice(1))
  const [group, , gid, members = ''] = line?.split(':') ?? []
  if (group !== name.slice(1)) throw usageFault(`--local-users ${name}: this machine has no such group`)
  const primary = machine.entries('passwd').filter((entry) => entry.split(':')[3] === gid)
  const named = members.split(',').filter((member) => member !== '')
  return [...primary.map((entry) => Number(entry.split(':')[2])), ...named.map((member) => userNumber(member, machine))]
}

function userNumber(name: string, machine: Machine): number {
  const [user, , uid = ''] = machine.entries('passwd', name)[0]?.split(':') ?? []
  if (user !== name || !/^\d+$/.test(uid)) throw usageFault(`--local-users ${name}: this machine has no such user`)
  return Number(uid)
}

/** getent also knows users of directory services such as LDAP; small systems have only the files. */
const thisMachine: Machine = {
  platform: process.platform,
  uid: process.getuid?.(),
  entries(database, key) {
    try {
      const args = key === undefined ? [database] : ['--', database, key]
      return lines(execFileSync('getent', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') return []
      return lines(readFileSync(`/etc/${database}`, 'utf8')).filter(
        (line) => key === undefined || line.startsWith(`${key}:`),
      )
    }
  },
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}
