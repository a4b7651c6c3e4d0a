import { expect, it } from 'vitest'
import { type LocalUsersValues, localUsers, type Machine, usersOfCredentials } from './local-users.ts'

const PASSWD = [
  'root:x:0:0::/root:/bin/sh',
  'ada:x:1000:1000::/:/bin/sh',
  'bob:x:1001:1001::/:/bin/sh',
  'eve:x:1002:50::/:/',
]
const GROUP = ['root:x:0:', 'staff:x:50:ada,bob', 'empty:x:51:', 'stale:x:52:gone']
const linux: Machine = {
  platform: 'linux',
  uid: 1000,
  entries: (database, key) =>
    (database === 'passwd' ? PASSWD : GROUP).filter((line) => key === undefined || line.startsWith(`${key}:`)),
}
const mac: Machine = { ...linux, platform: 'darwin' }
const asked = (users: string, runtime = 'simulated'): LocalUsersValues => ({
  runtime: [runtime],
  'local-users': users.split(','),
})

it.each<[string, number[] | 'all']>([
  ['own', [1000, 0]],
  ['all', 'all'],
  ['bob', [1000, 0, 1001]],
  ['own,bob', [1000, 0, 1001]],
  ['4711', [1000, 0, 4711]],
  ['@staff', [1000, 0, 1002, 1001]],
  ['@empty', [1000, 0]],
])('--local-users %s on Linux', (users, expected) => {
  expect(localUsers(asked(users), linux)).toEqual(expected === 'all' ? 'all' : new Set(expected))
})

it.each([
  ['nobody-here', '--local-users nobody-here: this machine has no such user'],
  ['@nobody-here', '--local-users @nobody-here: this machine has no such group'],
  ['@stale', '--local-users gone: this machine has no such user'],
  ['-x', '--local-users -x: this machine has no such user'],
  ['all,bob', '--local-users all lets everyone in; leave out the other names'],
])('--local-users %s is a fault', (users, message) => {
  expect(() => localUsers(asked(users), linux)).toThrow(message)
})

it('a system that tells no users apart serves all, unless that lets them run programs', () => {
  expect(localUsers(asked('own'), mac)).toBe('all')
  expect(localUsers(asked('all', 'process'), mac)).toBe('all')
  expect(() => localUsers(asked('own', 'docker'), mac)).toThrow(
    '--runtime docker: on this system the server cannot tell',
  )
  expect(() => localUsers(asked('bob'), mac)).toThrow('--local-users bob: on this system the server cannot tell')
})

it.runIf(process.platform === 'linux')('knows the users of this machine', () => {
  expect(localUsers(asked('root,@root'))).toContain(0)
  expect(() => localUsers(asked('no-such-user-here'))).toThrow('this machine has no such user')
  expect(() => localUsers(asked('--help'))).toThrow('this machine has no such user')
})

it('the credentials of a kubeconfig are for everybody of the machine only where that is asked for', () => {
  expect(usersOfCredentials(['own'], linux)).toEqual(new Set([1000, 0]))
  expect(() => usersOfCredentials(['own'], mac)).toThrow('add --local-users all')
  for (const machine of [linux, mac]) expect(usersOfCredentials(['all'], machine)).toBe('all')
})
