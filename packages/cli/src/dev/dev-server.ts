// The server that `dev` works on: its own, in this process, with data that stays in the project; or a cluster.

import { existsSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { makePki, readPki } from '@homeostat/apiserver/keys'
import { messageOf } from '@homeostat/base'
import type { Client } from '@homeostat/client'
import { createClient, nodeTransport, readConnection } from '@homeostat/client/node'
import { faultOf } from '../access/failure.ts'
import { Fault, usageFault } from '../fault.ts'
import { loadAddOn } from '../load-add-on.ts'
import { makeLogger } from '../log/logger.ts'
import { storeOptions } from '../options/option-groups.ts'
import { parseOptions } from '../options/parse-options.ts'
import { colonyAddOn } from '../server/colony-add-on.ts'
import { startControlPlane } from '../server/control-plane.ts'
import { makeDataDirectory, openStore, type StoreListener, startFault } from '../server/data-directory.ts'
import { writeKubeconfig } from '../server/kubeconfig.ts'
import { openPki } from '../server/pki-folder.ts'
import { within } from '../server/within.ts'
import { workloadsAddOn } from '../server/workloads-add-on.ts'

export interface DevServer {
  readonly url: string
  /** The file that leads to it. */
  readonly kubeconfig: string
  /** Where objects without a namespace go. */
  readonly namespace: string
  readonly client: Client
  /** Undefined for a cluster. */
  readonly data?: string
  /** Resolves when the server has ended, whatever the reason. Never for a cluster. */
  readonly done: Promise<void>
  close(): Promise<void>
}

export interface OwnServerOptions {
  /** The folder of the project's state. */
  readonly folder: string
  /** The first port to try. */
  readonly port: number
  readonly runtime: readonly string[]
  readonly with: readonly string[]
  readonly clean: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  /** Gets the lines of the server's log, in JSON. */
  onLog(line: string): void
}

const HOST = '127.0.0.1'
/** How long requests under way may take to finish at the end. */
const SHUTDOWN_MS = 3000

export async function startOwnServer(options: OwnServerOptions): Promise<DevServer> {
  const { folder, env, onLog } = options
  makeDataDirectory(folder)
  const data = join(folder, 'data')
  if (options.clean && existsSync(data)) await removeData(data)
  makeDataDirectory(data)
  const logger = makeLogger({ level: 'warn', format: 'json' }, { write: onLog })
  const listener: StoreListener = {
    damaged: (record) => logger.error(record, 'a stored record is damaged'),
    warn: (warning) => logger.warn({}, warning),
  }
  const settings = parseOptions(storeOptions, [], env).values
  if (settings.store === 'etcd')
    throw usageFault('HOMEOSTAT_STORE=etcd: homeostat dev has a server of its own alone; unset the variable')
  const [loaded, port, store] = await Promise.all([
    Promise.all(options.with.map(loadAddOn)),
    freePort(options.port),
    openStore(settings, data, env, listener),
  ])
  try {
    const plane = await startControlPlane({
      store,
      host: HOST,
      port,
      logger,
      pki: await openPki(data, { makePki, readPki }),
      addOns: [...workloadsAddOn(options.runtime, data), colonyAddOn(data), ...loaded],
    })
    const { url, done } = plane
    const client = createClient(nodeTransport({ url }))
    const kubeconfig = writeKubeconfig(folder, url)
    return {
      url,
      kubeconfig,
      namespace: 'default',
      client,
      data,
      done,
      async close() {
        client.close()
        await within(SHUTDOWN_MS, plane.close(), () => {})
        await store.close()
      },
    }
  } catch (cause) {
    await store.close()
    throw await startFault(cause, data)
  }
}

export async function connectToCluster(kubeconfig: string): Promise<DevServer> {
  try {
    const { transport, namespace = 'default' } = await readConnection({ path: kubeconfig })
    const client = createClient(nodeTransport(transport))
    return {
      url: transport.url,
      kubeconfig: resolve(kubeconfig),
      namespace,
      client,
      done: new Promise(() => {}),
      close: async () => client.close(),
    }
  } catch (error) {
    throw faultOf(error, undefined)
  }
}

/** Under the lock of the data, so that it is not taken from a server that runs. */
async function removeData(data: string): Promise<void> {
  // Only this key needs the store's maintenance.
  const { lockDirectory } = await import('@homeostat/store/maintenance')
  try {
    const lock = lockDirectory(data)
    rmSync(data, { recursive: true, force: true })
    lock.release()
  } catch (cause) {
    throw new Fault(messageOf(cause), { cause })
  }
}

/** How many ports are tried; 0 lets the system choose. */
const PORTS = 20

async function freePort(first: number): Promise<number> {
  for (let port = first; port < Math.min(first + PORTS, 65_536); port++) {
    if (port === 0 || (await isFree(port))) return port
  }
  return first
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, HOST, () => probe.close(() => resolve(true)))
  })
}
