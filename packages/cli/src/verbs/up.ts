// `homeostat up`: puts the store and the API server together, says where they are, and ends them in order.

import { loadAddOn } from '../add-on.ts'
import { Fault, systemCode } from '../fault.ts'
import { makeLogger } from '../log/logger.ts'
import type { Values } from '../options/option-table.ts'
import { makeDataDirectory, openStore } from '../server/data-directory.ts'
import { waitForEnding } from '../server/ending.ts'
import { greeting } from '../server/greeting.ts'
import { writeKubeconfig } from '../server/kubeconfig.ts'
import { baseUrl, loopbackAddress } from '../server/loopback.ts'
import type { Terminal } from '../terminal.ts'
import { noOperands } from './operands.ts'
import type { upOptions } from './verb-table.ts'

type UpValues = Values<(typeof upOptions)[number]>

export async function up(values: UpValues, operands: readonly string[], terminal: Terminal): Promise<number> {
  noOperands(operands)
  const host = loopbackAddress(values.host)
  const directory = makeDataDirectory(values['data-dir'])
  const ending = waitForEnding()
  const addOns = await Promise.all(values.with.map(loadAddOn))
  const logger = makeLogger({ level: values['log-level'], format: values['log-format'] })
  // The store opens in its own thread while the server's code loads in this one.
  const [store, { startApiServer }] = await Promise.all([openStore(values, directory), import('@homeostat/apiserver')])
  try {
    const definitions = addOns.flatMap((addOn) => addOn.definitions ?? [])
    const server = await startApiServer({ store, host, port: values.port, logger, definitions }).catch((cause) => {
      throw listenFault(cause, host, values.port)
    })
    const url = baseUrl(host, server.address.port)
    const kubeconfig = writeKubeconfig(directory, url)
    terminal.out(greeting({ url, directory: values.store === 'memory' ? undefined : directory, kubeconfig }))
    logger.info({ url, store: values.store, addOns: addOns.map((addOn) => addOn.name) }, 'ready')
    logger.info({ reason: await Promise.race([ending, server.done.then(() => 'the server stopped')]) }, 'ending')
    await within(values['shutdown-timeout'], server.close(), () =>
      logger.warn('requests were still running and are cut off'),
    )
  } finally {
    await store.close()
  }
  logger.info('ended')
  return 0
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

/** Waits for the work, but not longer than the time. */
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
