// `homeostat migrate --to etcd|sqlite`: copies all objects between the data directory and etcd, with their history, and compares them
// afterwards. What was cut off is continued by the same command; no server starts on a part.

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { messageOf, systemClock } from '@homeostat/base'
import { openSqliteStore, type Store } from '@homeostat/store'
import { forgetStoreMoved, markStoreMoved, raiseRevisions } from '@homeostat/store/etcd'
import { type Copied, copyStore, isEmpty, isIncomplete, raiseSqliteRevisions } from '@homeostat/store/maintenance'
import { Fault, usageFault } from '../fault.ts'
import type { migrateOptions } from '../options/option-groups.ts'
import type { Values } from '../options/option-table.ts'
import { progressOn } from '../output/progress.ts'
import { makeDataDirectory } from '../server/data-directory.ts'
import { etcdSettings } from '../server/etcd-settings.ts'
import { inEtcd, openEtcd } from '../server/etcd-store.ts'
import { historySettings } from '../server/history-settings.ts'
import { forgetMoved, markMoved } from '../server/moved-store.ts'
import { keysForBackup } from '../server/pki-folder.ts'
import type { Terminal } from '../terminal.ts'
import { noOperands } from './operands.ts'

type MigrateValues = Values<(typeof migrateOptions)[number]>

/** One of the two stores. */
interface Side {
  readonly name: string
  open(): Promise<Store>
  /** Lets its revisions begin above this one. It is not open. */
  raise(above: number): Promise<void>
  /** Keeps servers from starting on it, as its objects are `where` from now on. */
  retire(where: string): Promise<void>
  /** Takes that back. */
  revive(): Promise<void>
}

/** Servers renew their Leases every second. */
const HEARTBEATS_MS = 2500
const DAY_MS = 86_400_000

export async function migrate(values: MigrateValues, operands: readonly string[], terminal: Terminal): Promise<number> {
  noOperands(operands)
  const direction = values['migrate-to']
  if (direction === undefined) throw usageFault('homeostat migrate needs --to etcd or --to sqlite')
  const etcd = etcdSide(values, terminal)
  const directory = sqliteSide(values)
  if (direction === 'etcd') refuseWithoutData(values['data-dir'])
  const [from, to] = direction === 'etcd' ? [directory, etcd] : [etcd, directory]
  const copied = await copyAll(from, to, terminal)
  terminal.out(`${report(copied, from, to)}\n${afterwards(values, direction)}`)
  return 0
}

async function copyAll(from: Side, to: Side, terminal: Terminal): Promise<Copied> {
  const progress = progressOn(terminal)
  const source = await from.open()
  let target: Store | undefined
  try {
    // A wrong prefix, for instance.
    if (await isEmpty(source)) throw new Fault(`${from.name} holds no objects`)
    await refuseServers(source)
    target = await openAbove(to, await source.revision())
    return await copyStore(source, target, {
      now: () => systemClock.now(),
      copied: (objects) => progress.show(`${objects} objects copied`),
      compared: (objects) => progress.show(`${objects} objects compared`),
      async retire() {
        await from.retire(to.name)
        await to.revive()
      },
    })
  } catch (cause) {
    if (cause instanceof Fault) throw cause
    const advice = target === undefined ? '' : `; ${from.name} is as it was`
    throw new Fault(`the migration has not ended: ${messageOf(cause)}${advice}`, { cause })
  } finally {
    progress.end()
    await Promise.all([source.close(), target?.close()])
  }
}

/** Of a store that several servers share, nothing else tells whether one runs. */
async function refuseServers(source: Store): Promise<void> {
  if (!source.shared) return
  const before = await source.revision()
  await pause(HEARTBEATS_MS)
  if ((await source.revision()) !== before)
    throw new Fault('a server writes to the store; stop all its servers, and run this again')
}

/** So no revision is used twice. A copy that was begun has it behind it. */
async function openAbove(side: Side, above: number): Promise<Store> {
  const store = await side.open()
  try {
    const isBegun = await isIncomplete(store)
    if (!isBegun && !(await isEmpty(store)))
      throw new Fault(`${side.name} holds objects already; only an empty store is copied into`)
    if (isBegun && (await store.revision()) > above) return store
  } catch (error) {
    await store.close()
    throw error
  }
  await store.close()
  await side.raise(above)
  return side.open()
}

function etcdSide(values: MigrateValues, terminal: Terminal): Side {
  const settings = {
    ...etcdSettings(values, terminal.env),
    ...historySettings(values),
    // What is being read is not compacted meanwhile.
    compactEveryMs: DAY_MS,
  }
  return {
    name: `the store under ${settings.prefix} in etcd`,
    open: () => openEtcd({ ...settings, acceptMoved: true }),
    raise: async (above) => void (await inEtcd(raiseRevisions(settings, above))),
    retire: (where) => inEtcd(markStoreMoved(settings, where)),
    revive: () => inEtcd(forgetStoreMoved(settings)),
  }
}

function sqliteSide(values: MigrateValues): Side {
  const directory = resolve(values['data-dir'])
  return {
    name: directory,
    async open() {
      try {
        return await openSqliteStore({ directory: makeDataDirectory(directory), ...historySettings(values) })
      } catch (cause) {
        throw cause instanceof Fault ? cause : new Fault(messageOf(cause), { cause })
      }
    },
    raise: async (above) => raiseSqliteRevisions(directory, above),
    retire: async (where) => markMoved(directory, where),
    revive: async () => forgetMoved(directory),
  }
}

function refuseWithoutData(directory: string): void {
  if (!existsSync(join(resolve(directory), 'homeostat.db')))
    throw new Fault(`${resolve(directory)} holds no objects; name the data directory of the server with --data-dir`)
}

function report({ objects, generations, digest }: Copied, from: Side, to: Side): string {
  return (
    `${objects} objects and ${generations} older generations were copied from ${from.name} to ${to.name}, ` +
    `and are the same (SHA-256 ${digest.slice(0, 16)}…); every client will list anew`
  )
}

function afterwards(values: MigrateValues, direction: 'etcd' | 'sqlite'): string {
  const folder = values['data-dir']
  if (direction === 'etcd')
    return (
      `start the first server with the same data directory, which has the keys: homeostat up --store etcd --data-dir ${folder}\n` +
      `${join(resolve(folder), 'homeostat.db')} is as it was; no server starts on it without --store etcd\n`
    )
  if (keysForBackup(resolve(folder)).length > 0) return `start the server: homeostat up --data-dir ${folder}\n`
  return `${folder} has no keys: bring those of the servers with \`homeostat keys export\` and \`import\`, or all tokens and certificates are refused\n`
}
