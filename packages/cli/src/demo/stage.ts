// What the steps of the demonstration observe: objects of the server, and processes of the machine. It waits until they
// are as expected, or fails with what it saw instead.

import { setTimeout as pause } from 'node:timers/promises'
import type { ApiObject, Client } from '@homeostat/client'
import { type Executor, type Process, RESOURCE_LABELS } from '@homeostat/executor/protocol'
import { Fault } from '../fault.ts'
import { COLONY, resource } from './documents.ts'

export interface Deployment extends ApiObject {
  spec: Record<string, unknown>
  status?: {
    phase?: string
    ready?: number
    observedGeneration?: number
    deployedExecutors?: string[]
    conditions?: { type: string; status: string }[]
  }
}

const LOOK_MS = 25
const PATIENCE_MS = 20_000
const CALLS = 'colonies.io/v1'

export class Stage {
  readonly client: Client
  readonly #signal: AbortSignal

  constructor(client: Client, signal: AbortSignal) {
    this.client = client
    this.#signal = signal
  }

  /** Repeats `look` until it finds something, and returns that. */
  async until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
    for (const end = Date.now() + PATIENCE_MS; ; await pause(LOOK_MS, undefined, { signal: this.#signal })) {
      const found = await look()
      if (found !== undefined) return found
      if (Date.now() > end)
        throw new Fault(`the demonstration stops here: ${what} did not happen in ${PATIENCE_MS / 1000} s`)
    }
  }

  get deployments() {
    return this.client.resourceOf<Deployment>(resource.apiVersion, resource.kind)
  }

  deployment(): Promise<Deployment | undefined> {
    return this.deployments.find(resource.metadata)
  }

  /** Waits until the status of the current generation says that so many executors run. */
  running(replicas: number): Promise<Deployment> {
    return this.until(`${replicas} executors running`, async () => {
      const now = await this.deployment()
      const isSeen = now?.status?.observedGeneration === now?.metadata.generation
      return isSeen && now?.status?.phase === 'Running' && now.status.ready === replicas ? now : undefined
    })
  }

  /** Waits until every process of the resource has ended. */
  idle(): Promise<true> {
    return this.until('the end of all processes', async () => {
      const open = (await this.processes()).filter(({ status }) => status.finishedAt === undefined)
      return open.length === 0 ? true : undefined
    })
  }

  async processes(): Promise<Process[]> {
    const labelSelector = `${RESOURCE_LABELS.name}=${resource.metadata.name}`
    return (await this.client.resourceOf<Process>(CALLS, 'Process').list({ namespace: COLONY, labelSelector })).items
  }

  async executors(type: string): Promise<Executor[]> {
    const all = await this.client.resourceOf<Executor>(CALLS, 'Executor').list({ namespace: COLONY })
    return all.items.filter(({ spec }) => spec.type === type)
  }

  online(type: string, count: number): Promise<Executor[]> {
    return this.until(`${count} executors of type ${type} online`, async () => {
      const online = (await this.executors(type)).filter(({ status }) => status?.phase === 'Online')
      return online.length === count ? online : undefined
    })
  }

  scale(replicas: number): Promise<Deployment> {
    return this.deployments.patch(resource.metadata, { spec: { replicas } })
  }
}
