// Opens the places where executors can live, when they are first needed, and closes them at the end. The controller asks it
// for one; a place that could not be opened is tried again with the next run.

import type { Client } from '@homeostat/client'
import { clientFromKubeconfig } from '@homeostat/client/node'
import { COLONIES } from '@homeostat/executor'
import { isStatusError } from '@homeostat/meta'
import { openDockerRuntime, openProcessRuntime, type Runtime } from '@homeostat/runtimes'
import { ClusterTarget } from './cluster-target.ts'
import type { DeployedTo } from './deployment-status.ts'
import type { UnitSettings } from './executor-unit.ts'
import { claimFolder } from './folder-claim.ts'
import type { Target } from './target.ts'
import type { Owner } from './unit-identity.ts'
import { UnitTarget, type UnitTargetOptions } from './unit-target.ts'

export interface TargetsOptions extends UnitSettings {
  /** Of the colony's server. */
  readonly client: Client
  /** Where local executors are kept; one controller at a time works on it. */
  readonly directory: string
  /** Of the cluster for resources that name none. Default: the colony's own server. */
  readonly kubeconfig: string | undefined
  readonly settleMs: number
  readonly waitMs: number
  /** Instead of processes of this machine and its Docker engine. */
  readonly openLocal?: (() => Promise<Runtime>) | undefined
  readonly openDocker?: (() => Promise<Runtime>) | undefined
}

/** Begins the names of containers, and tells them from those of other programs. */
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

  constructor(options: TargetsOptions) {
    this.#options = options
  }

  /** Hands the target to the work and closes what was opened for it alone. */
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

  /** What runs goes on. */
  async close(): Promise<void> {
    const all = await Promise.allSettled(this.#opened.values())
    for (const one of all) if (one.status === 'fulfilled') await one.value.close()
  }

  async #units(name: keyof typeof WORDS): Promise<Target> {
    let opening = this.#opened.get(name)
    if (opening === undefined) {
      opening = name === 'local' ? this.#openLocal() : this.#openDocker()
      this.#opened.set(name, opening)
      opening.catch(() => this.#opened.delete(name))
    }
    const { runtime } = await opening
    const { executorCommand, server, localEnv, settleMs } = this.#options
    const options: UnitTargetOptions = {
      runtime,
      words: WORDS[name],
      executorCommand,
      server,
      localEnv,
      settleMs,
      onGone: (owner, executor) => this.#forget(owner, executor),
    }
    return new UnitTarget(options)
  }

  async #openLocal(): Promise<Opened> {
    const { directory, openLocal } = this.#options
    if (openLocal) return closing(await openLocal())
    const release = await claimFolder(directory)
    try {
      return closing(await openProcessRuntime({ directory }), release)
    } catch (error) {
      await release()
      throw error
    }
  }

  async #openDocker(): Promise<Opened> {
    return closing(await (this.#options.openDocker ?? (() => openDockerRuntime({ owner: DOCKER_OWNER })))())
  }

  /** One that was killed could not sign off; whoever looks at executors should not see it any more. */
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

function closing(runtime: Runtime, after: () => Promise<void> = async () => {}): Opened {
  return { runtime, close: () => runtime.close().then(after) }
}
