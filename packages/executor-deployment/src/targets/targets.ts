// Opens targets when they are first needed, and closes them at the end. A target that could not be opened is retried by the
// next reconcile.

import { type Clock, type Log, messageOf, silentLog, systemClock } from '@homeostat/base'
import type { Client } from '@homeostat/client'
import { clientFromKubeconfig } from '@homeostat/client/node'
import { COLONIES, type Executor } from '@homeostat/executor/protocol'
import { isStatusError } from '@homeostat/meta'
import { openDockerRuntime, openProcessRuntime, type Runtime } from '@homeostat/runtimes'
import type { DeployedTo } from '../deployment-status.ts'
import { UnitIdentities } from '../identity/unit-identities.ts'
import { ClusterTarget } from './cluster-target.ts'
import type { UnitSettings } from './executor-unit.ts'
import { claimFolder } from './folder-claim.ts'
import { registryLogin } from './registry-login.ts'
import { counted, type Names, type Target } from './target.ts'
import { namespaceLabels, type Owner } from './unit-identity.ts'
import { UnitTarget, type UnitTargetOptions } from './unit-target.ts'

export interface TargetsOptions extends UnitSettings {
  /** Of the colony's server. */
  readonly client: Client
  /** The folder of local executors; one controller at a time uses it. */
  readonly directory: string
  /** Of the cluster for resources that name none. Default: the colony's own server. */
  readonly kubeconfig: string | undefined
  readonly settleMs: number
  readonly waitMs: number
  /** The parent of the folders with the executors' credentials. Default: beside the folder of local executors. */
  readonly credentials?: string | undefined
  readonly clock?: Clock | undefined
  readonly log?: Log | undefined
  /** Replace the runtimes for processes and Docker, for tests. */
  readonly openLocal?: (() => Promise<Runtime>) | undefined
  readonly openDocker?: (() => Promise<Runtime>) | undefined
  /** Replaces the list of online executors, for tests. */
  readonly executorsOnline?: ((namespace: string) => Promise<Names>) | undefined
}

/** The prefix of container names; separates them from those of other programs. */
const DOCKER_OWNER = 'colony'

const WORDS = {
  local: { unit: 'process', one: 'local process', several: 'local processes' },
  docker: { unit: 'container', one: 'Docker container', several: 'Docker containers' },
} as const

interface Opened {
  readonly runtime: Runtime
  close(): Promise<void>
}

export class Targets {
  readonly #options: TargetsOptions
  readonly #opened = new Map<keyof typeof WORDS, Promise<Opened>>()
  #release: (() => Promise<void>) | undefined

  /** Only for a server with TLS: on plain HTTP every program of this user is the administrator. */
  readonly #identities: UnitIdentities | undefined

  constructor(options: TargetsOptions) {
    this.#options = options
    const { client, server, credentials = `${options.directory}.credentials` } = options
    const { clock = systemClock, log = silentLog } = options
    this.#identities = server?.startsWith('https:')
      ? new UnitIdentities({ client, server, directory: credentials, clock, log })
      : undefined
  }

  /** Locks the folder of local executors. Rejects when another controller holds it. */
  async claim(): Promise<void> {
    const { directory, openLocal } = this.#options
    if (openLocal === undefined) this.#release ??= await claimFolder(directory)
  }

  /** Calls the work with the target, and closes what was opened only for this call. */
  async at<T>(place: DeployedTo, work: (target: Target) => Promise<T>): Promise<T> {
    if (place.runtime === 'local' || place.runtime === 'docker') return work(await this.#units(place.runtime))
    const path = place.kubeconfig ?? this.#options.kubeconfig
    const client = path === undefined ? this.#options.client : await clientFromKubeconfig({ path })
    const { server, waitMs } = this.#options
    try {
      return await work(new ClusterTarget({ client, namespace: place.namespace ?? 'default', server, waitMs }))
    } finally {
      if (client !== this.#options.client) client.close()
    }
  }

  /** Stops all units of a namespace. Reports targets that cannot be reached, since there is no later retry. */
  async endAll(namespace: string, say: (line: string) => void): Promise<void> {
    for (const name of ['local', 'docker'] as const) {
      const wasReached = this.#opened.has(name)
      try {
        const { runtime } = await this.#open(name)
        const units = await runtime.list(namespaceLabels(namespace))
        if (units.length > 0)
          say(
            `The namespace ${namespace} was deleted: removing ${counted(units.length, WORDS[name].one, WORDS[name].several)}`,
          )
        await Promise.all(units.map(({ id }) => runtime.stop(id)))
        await this.#identities?.takeAll(namespace)
      } catch (error) {
        // Without a Docker engine there are no containers.
        if (wasReached) say(`${WORDS[name].several} of ${namespace} may be left: ${messageOf(error)}`)
      }
    }
  }

  /** Executors keep running. */
  async close(): Promise<void> {
    this.#identities?.close()
    const all = await Promise.allSettled(this.#opened.values())
    for (const one of all) if (one.status === 'fulfilled') await one.value.close()
    await this.#release?.()
    this.#release = undefined
  }

  async #units(name: keyof typeof WORDS): Promise<Target> {
    const { runtime } = await this.#open(name)
    const { executorCommand, server, localEnv, settleMs, waitMs } = this.#options
    const online = this.#options.executorsOnline ?? ((namespace: string) => this.#online(namespace))
    const options: UnitTargetOptions = {
      runtime,
      words: WORDS[name],
      executorCommand,
      server,
      localEnv,
      settleMs,
      waitMs,
      online: ({ namespace }) => online(namespace),
      identify: (owner, { executorType: type, hostNetwork }, executor) => {
        const { namespace, uid: ownerUid } = owner
        const isContainer = name === 'docker'
        const wanted = { namespace, name: executor, type, ownerUid, isContainer, hostNetwork }
        return this.#identities?.give(wanted) ?? Promise.resolve(undefined)
      },
      login: ({ namespace }, { image = '', pullSecrets }) =>
        registryLogin(this.#options.client, namespace, image, pullSecrets),
      onGone: async (owner, executor) => {
        await this.#forget(owner, executor)
        await this.#identities?.take(owner.namespace, executor, owner.uid)
      },
    }
    return new UnitTarget(options)
  }

  #open(name: keyof typeof WORDS): Promise<Opened> {
    let opening = this.#opened.get(name)
    if (opening === undefined) {
      opening = name === 'local' ? this.#openLocal() : this.#openDocker()
      this.#opened.set(name, opening)
      opening.catch(() => this.#opened.delete(name))
    }
    return opening
  }

  async #openLocal(): Promise<Opened> {
    const { directory, openLocal } = this.#options
    await this.claim()
    return closing(await (openLocal ?? (() => openProcessRuntime({ directory })))())
  }

  async #openDocker(): Promise<Opened> {
    return closing(await (this.#options.openDocker ?? (() => openDockerRuntime({ owner: DOCKER_OWNER })))())
  }

  async #online(namespace: string): Promise<Names> {
    const executors = this.#options.client.resourceOf<Executor>(`${COLONIES.group}/${COLONIES.version}`, 'Executor')
    const { items } = await executors.list({ namespace, fieldSelector: 'status.phase=Online' })
    return new Set(items.map(({ metadata }) => metadata.name ?? ''))
  }

  /** Deletes the Executor object of a killed executor, which could not sign off itself. */
  async #forget({ namespace }: Owner, name: string): Promise<void> {
    try {
      await this.#options.client
        .resource(`${COLONIES.group}/${COLONIES.version}`, 'Executor')
        .delete({ name, namespace })
    } catch (error) {
      if (!isStatusError(error, 'NotFound')) throw error
    }
  }
}

function closing(runtime: Runtime): Opened {
  return { runtime, close: () => runtime.close() }
}
