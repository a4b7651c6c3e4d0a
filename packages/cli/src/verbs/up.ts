// `homeostat up`: opens the store, starts the API server and the add-ons, and shuts them down in reverse order.

import { flushCompileCache } from 'node:module'
import type { DamagedRecord } from '@homeostat/store'
import { waitForEnding } from '../ending.ts'
import { Fault, systemCode } from '../fault.ts'
import { loadAddOn } from '../load-add-on.ts'
import type { upOptions } from '../options/option-groups.ts'
import type { Values } from '../options/option-table.ts'
import { definitionsOf, runAddOns } from '../server/add-ons.ts'
import { makeDataDirectory, openStore, startFault } from '../server/data-directory.ts'
import { greeting } from '../server/greeting.ts'
import { writeKubeconfig } from '../server/kubeconfig.ts'
import { checkConnectionTable, localUsers } from '../server/local-users.ts'
import { baseUrl, loopbackAddress } from '../server/loopback.ts'
import { openPki } from '../server/pki-folder.ts'
import { workloadsAddOn } from '../server/workloads-add-on.ts'
import type { Terminal } from '../terminal.ts'
import { noOperands } from './operands.ts'

type UpValues = Values<(typeof upOptions)[number]>

export async function up(values: UpValues, operands: readonly string[], terminal: Terminal): Promise<number> {
  noOperands(operands)
  const host = loopbackAddress(values.host)
  const users = localUsers(values)
  if (users !== 'all') checkConnectionTable()
  const workloads = workloadsAddOn(values.runtime, values['data-dir'])
  const directory = makeDataDirectory(values['data-dir'])
  const ending = waitForEnding()
  // The store opens in its own thread while the server's code loads in this one.
  const damaged = Promise.withResolvers<(record: DamagedRecord) => void>()
  const warnings: string[] = []
  const opening = openStore(
    values,
    directory,
    (record) => void damaged.promise.then((tell) => tell(record)),
    (warning) => warnings.push(warning),
  )
  try {
    const [{ startApiServer, makePki, readPki }, { makeLogger }, { colonyAddOn }, loaded, store] = await Promise.all([
      import('@homeostat/apiserver'),
      import('../log/logger.ts'),
      import('../server/colony-add-on.ts'),
      Promise.all(values.with.map(loadAddOn)),
      opening,
    ])
    const addOns = [...workloads, colonyAddOn(directory), ...loaded]
    const logger = makeLogger({ level: values['log-level'], format: values['log-format'] })
    if (users === 'all') logger.warn({}, 'every user of this machine may use this server, as its administrator')
    for (const warning of warnings) logger.warn({ directory }, warning)
    damaged.resolve((record) => logger.error(record, 'a stored record is damaged'))
    const pki = await openPki(directory, { makePki, readPki })
    const server = await startApiServer({
      store,
      host,
      port: values.port,
      logger,
      pki,
      definitions: definitionsOf(addOns),
      extensions: addOns.flatMap((addOn) => addOn.extensions ?? []),
      rules: addOns.flatMap((addOn) => addOn.rules ?? []),
      eventTtlMs: values['event-ttl'],
      eventsLimit: values['events-limit'],
      localUsers: users,
      allowOrigins: values['allow-origin'],
      inFlight: { reads: values['max-requests-inflight'], writes: values['max-mutating-requests-inflight'] },
      maxConnections: values['max-connections'],
    }).catch((cause) => {
      throw listenFault(cause, host, values.port)
    })
    const working = new AbortController()
    const work = runAddOns(server, addOns, logger, working.signal)
    const url = baseUrl(host, server.address.port)
    const kubeconfig = writeKubeconfig(directory, url)
    terminal.out(greeting({ url, directory: values.store === 'memory' ? undefined : directory, kubeconfig }))
    logger.info({ url, store: values.store, addOns: addOns.map((addOn) => addOn.name) }, 'ready')
    keepCompiledCode()
    const reason = await Promise.race([ending, server.done])
    logger.info({ reason: reason ?? 'the server failed' }, 'ending')
    working.abort()
    const ended = work.then(() => server.close())
    await within(values['shutdown-timeout'], ended, () => logger.warn({}, 'what still runs is cut off'))
    await store.close()
    logger.info({}, 'ended')
    return reason === undefined ? 1 : 0
  } catch (cause) {
    throw startFault(cause, directory)
  } finally {
    await opening.then((store) => store.close())
  }
}

/** Node writes its compile cache only at a clean exit; this also saves it for a server that is killed later. */
function keepCompiledCode(): void {
  setTimeout(flushCompileCache, 1000).unref()
}

function listenFault(cause: unknown, host: string, port: number): unknown {
  const code = systemCode(cause)
  const where = baseUrl(host, port)
  if (code === 'EADDRINUSE')
    return new Fault(`${where} is in use; stop what listens there or choose another --port`, { cause })
  if (code === 'EACCES')
    return new Fault(`${where}: this user may not listen there; choose a --port above 1023`, { cause })
  if (code === 'EADDRNOTAVAIL')
    return new Fault(`${where}: this machine has no such address; use --host 127.0.0.1`, { cause })
  return cause
}

/** Waits for the work, at most for the given time. */
async function within(ms: number, work: Promise<void>, onTimeout: () => void): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      onTimeout()
      resolve()
    }, ms)
  })
  await Promise.race([work, timeout])
  clearTimeout(timer)
}
