// `homeostat up`: opens the store, starts the API server and the add-ons, and shuts them down in reverse order.

import { flushCompileCache } from 'node:module'
import type { ApiServerOptions } from '@homeostat/apiserver'
import type { Pki } from '@homeostat/apiserver/keys'
import type { Log } from '@homeostat/base'
import { waitForEnding } from '../ending.ts'
import { loadAddOn } from '../load-add-on.ts'
import { authenticationOptionNames, type upOptions } from '../options/option-groups.ts'
import type { Values } from '../options/option-table.ts'
import { type AccessPlan, baseUrl, localAddress, planAccess } from '../server/access-plan.ts'
import type { ControlPlane } from '../server/control-plane.ts'
import { makeDataDirectory, openStore, startFault } from '../server/data-directory.ts'
import { greeting } from '../server/greeting.ts'
import { writeKubeconfig } from '../server/kubeconfig.ts'
import { checkConnectionTable, localUsers } from '../server/local-users.ts'
import { keyFilesIn, openPki } from '../server/pki-folder.ts'
import { followTokenKeys } from '../server/token-key-file.ts'
import { within } from '../server/within.ts'
import { workloadsAddOn } from '../server/workloads-add-on.ts'
import type { Terminal } from '../terminal.ts'
import { noOperands } from './operands.ts'

type UpValues = Values<(typeof upOptions)[number]>

export async function up(values: UpValues, operands: readonly string[], terminal: Terminal): Promise<number> {
  noOperands(operands)
  const access = accessOf(values)
  // Without plain HTTP nobody is let in for being a user of this machine.
  const users = access.plain === undefined ? undefined : localUsers(values)
  if (users !== undefined && users !== 'all') checkConnectionTable()
  const listening = Promise.withResolvers<string | undefined>()
  const workloads = workloadsAddOn(values.runtime, values['data-dir'], listening.promise)
  const directory = makeDataDirectory(values['data-dir'])
  const ending = waitForEnding()
  // The store opens in its own thread while the server's code loads in this one.
  const log = Promise.withResolvers<Log>()
  const opening = openStore(values, directory, terminal.env, {
    damaged: (record) => void log.promise.then((ready) => ready.error(record, 'a stored record is damaged')),
    warn: (warning) => void log.promise.then((ready) => ready.warn({ store: values.store, directory }, warning)),
  })
  try {
    const [{ startControlPlane, makePki, readPki, readTokenKeys, makeLogger, colonyAddOn }, loaded, store] =
      await Promise.all([import('../server/server-code.ts'), Promise.all(values.with.map(loadAddOn)), opening])
    const addOns = [...workloads, colonyAddOn(directory), ...loaded]
    const logger = makeLogger({ level: values['log-level'], format: values['log-format'] })
    if (users === 'all') logger.warn({}, 'every user of this machine may use this server, as its administrator')
    if (values['admission-webhooks'] === 'off') logger.warn({}, 'admission webhooks are not called')
    log.resolve(logger)
    const following = new AbortController()
    if (values['join-file'] !== undefined) {
      const { joinServers } = await import('../server/join-servers.ts')
      await joinServers(values['join-file'], directory, logger)
    }
    const servedStore = store.shared ? await import('../server/served-store.ts') : undefined
    await servedStore?.refuseOtherStore(store, directory, `${values['etcd-prefix']} in etcd`)
    const unserved = servedStore?.unservedObjects(directory)
    if (unserved !== undefined) logger.warn({ directory }, unserved)
    const kept = await openPki(directory, { makePki, readPki })
    const keys = followTokenKeys({ directory, pki: kept, read: readTokenKeys, logger, signal: following.signal })
    const secure =
      access.secure === undefined ? undefined : await openSecureAccess(values, access.secure, directory, keys, logger)
    const authentication = await readAuthentication(values)
    const plane = await startControlPlane({
      store,
      host: access.plain ?? '127.0.0.1',
      port: access.plain === undefined ? undefined : values.port,
      secure: secure?.listen,
      logger,
      pki: secure?.pki ?? keys,
      joinFiles: store.shared ? () => keyFilesIn(directory) : undefined,
      member: { address: values['peer-address'], ...(secure && { credentials: secure.memberCredentials }) },
      authentication: authentication?.settings,
      providers: authentication && (() => authentication.providers(following.signal)),
      addOns,
      eventTtlMs: values['event-ttl'],
      eventsLimit: values['events-limit'],
      localUsers: users,
      allowOrigins: values['allow-origin'],
      inFlight: { reads: values['max-requests-inflight'], writes: values['max-mutating-requests-inflight'] },
      maxConnections: values['max-connections'],
      webhooks: webhooksOf(values),
    })
    await servedStore?.rememberStore(store, directory, following.signal)
    authentication?.follow(plane.configureAuthentication, logger, following.signal)
    const { url } = plane
    const kubeconfig =
      secure && plane.secure ? secure.writeKubeconfig(plane.secure.address.port) : writeKubeconfig(directory, url)
    secure?.follow(plane, following.signal)
    const secureUrl = plane.secure && secureUrlOf(plane.secure.address)
    listening.resolve(secureUrl)
    const shown = values.store === 'memory' ? undefined : directory
    terminal.out(greeting({ url, secureUrl: secureUrl === url ? undefined : secureUrl, directory: shown, kubeconfig }))
    logger.info({ url, store: values.store, addOns: addOns.map((addOn) => addOn.name) }, 'ready')
    keepCompiledCode()
    const reason = await Promise.race([ending, plane.done])
    logger.info({ reason: reason ?? 'the server failed' }, 'ending')
    if (reason !== undefined) await drain(plane, values['shutdown-delay'])
    following.abort()
    await within(values['shutdown-timeout'], plane.close(), () => logger.warn({}, 'what still runs is cut off'))
    await store.close()
    logger.info({}, 'ended')
    return reason === undefined ? 1 : 0
  } catch (cause) {
    throw await startFault(cause, directory)
  } finally {
    await opening.then((store) => store.close())
  }
}

/** Without a delay nobody could notice. A store that breaks meanwhile ends the wait. */
async function drain(plane: ControlPlane, ms: number): Promise<void> {
  if (ms === 0) return
  plane.drain()
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([over, plane.done])
  clearTimeout(timer)
}

/** Loads nothing unless a flag asks for more credentials than those of the server's own keys. */
async function readAuthentication(values: UpValues) {
  if (authenticationOptionNames.every((name) => values[name] === undefined)) return undefined
  const authentication = await import('../server/authentication.ts')
  const settings = await authentication.readAuthentication(values)
  let current = settings
  const follow = (change: ControlPlane['configureAuthentication'], logger: Log, signal: AbortSignal) =>
    authentication.followAuthentication(
      values,
      (changed) => {
        current = changed
        change(changed)
      },
      logger,
      signal,
    )
  const providers = async (signal: AbortSignal) => {
    const { loginProviders } = await import('../login/login-providers.ts')
    return loginProviders(() => current.issuers ?? [], signal)
  }
  return { settings, follow, providers }
}

function webhooksOf(values: UpValues): ApiServerOptions['webhooks'] {
  const services = values['webhook-service'].map((text) => text.split('=') as [string, string])
  return {
    admission: values['admission-webhooks'] === 'on',
    allowAddresses: values['webhook-allow-address'],
    services: Object.fromEntries(services),
  }
}

function accessOf(values: UpValues): AccessPlan {
  return planAccess({
    platform: process.platform,
    host: values.host,
    // The other servers of the store reach this one by TLS alone.
    secure: values.secure || values.store === 'etcd',
    plainHttp: values['plain-http'],
    allLocalUsers: values['local-users'].includes('all'),
  })
}

function secureUrlOf({ host, port }: { readonly host: string; readonly port: number }): string {
  return baseUrl(localAddress(host), port, 'https')
}

/** Loaded only with TLS. */
async function openSecureAccess(values: UpValues, host: string, directory: string, pki: Pki, logger: Log) {
  const { SecureAccess } = await import('../server/secure-access.ts')
  return new SecureAccess({
    directory,
    host,
    port: values['secure-port'],
    names: values['tls-san'],
    certificateFile: values['tls-cert-file'],
    keyFile: values['tls-private-key-file'],
    clientAuthorityFile: values['client-ca-file'],
    pki,
    logger,
  })
}

/** Node writes its compile cache only at a clean exit; this also saves it for a server that is killed later. */
function keepCompiledCode(): void {
  setTimeout(flushCompileCache, 1000).unref()
}
