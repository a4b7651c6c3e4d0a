// Finds where kinds are served by asking the server. It caches kinds that are served and asks again for those that are
// not, since a definition may be created at any moment. Concurrent callers share one request.

import { formatGroupVersion, isStatusError, parseGroupVersion } from '@homeostat/meta'
import type { ResourceInfo } from '../api/client.ts'
import { groupVersionPath } from '../request/resource-path.ts'
import { readJson } from '../response/read-body.ts'
import { abortable } from '../send/abortable.ts'
import type { Sender } from '../send/sender.ts'
import { readAggregated, readGroupVersions, readResourceList, type ServedVersion } from './discovery-responses.ts'

const AGGREGATED = ['v2', 'v2beta1'].map(
  (v) => `application/json;g=apidiscovery.k8s.io;v=${v};as=APIGroupDiscoveryList`,
)
const ACCEPT = [...AGGREGATED, 'application/json'].join(',')

export class Discovery {
  readonly #sender: Sender
  readonly #served = new Map<string, ServedVersion>()
  readonly #underWay = new Map<string, Promise<void>>()

  constructor(sender: Sender) {
    this.#sender = sender
  }

  async find(apiVersion: string, kind: string, signal?: AbortSignal): Promise<ResourceInfo | undefined> {
    const known = this.#known(apiVersion, kind)
    if (known !== undefined) return known
    const parsed = parseGroupVersion(apiVersion)
    if (parsed === undefined) throw new Error(`"${apiVersion}" is not an apiVersion, such as v1 or apps/v1`)
    signal?.throwIfAborted()
    // A request that began before this call may return a stale result: after it, look again, and ask again if needed.
    const earlier = this.#underWay.get(apiVersion)
    if (earlier !== undefined) {
      await abortable(earlier, signal)
      const told = this.#known(apiVersion, kind)
      if (told !== undefined) return told
    }
    await abortable(this.#underWay.get(apiVersion) ?? this.#ask(apiVersion, parsed.group, parsed.version), signal)
    return this.#known(apiVersion, kind)
  }

  async all(signal?: AbortSignal): Promise<ResourceInfo[]> {
    const roots = ['/api', '/apis'].map((path) => this.#servedAt(path))
    const versions = (await abortable(Promise.all(roots), signal)).flat()
    for (const served of versions) this.#served.set(formatGroupVersion(served), served)
    return versions.flatMap(({ kinds }) => [...kinds.values()])
  }

  forget(apiVersion: string): void {
    this.#served.delete(apiVersion)
  }

  #known(apiVersion: string, kind: string): ResourceInfo | undefined {
    return this.#served.get(apiVersion)?.kinds.get(kind)
  }

  #ask(apiVersion: string, group: string, version: string): Promise<void> {
    const asking = this.#learn(apiVersion, group, version).finally(() => this.#underWay.delete(apiVersion))
    this.#underWay.set(apiVersion, asking)
    return asking
  }

  async #learn(apiVersion: string, group: string, version: string): Promise<void> {
    const all = readAggregated(await this.#get(group === '' ? '/api' : '/apis', ACCEPT))
    if (all !== undefined) {
      this.forget(apiVersion)
      for (const served of all) this.#served.set(formatGroupVersion(served), served)
      return
    }
    const list = await this.#get(groupVersionPath(group, version), 'application/json')
    if (list === undefined) this.forget(apiVersion)
    else this.#served.set(apiVersion, readResourceList(group, version, list))
  }

  async #servedAt(root: string): Promise<ServedVersion[]> {
    const body = await this.#get(root, ACCEPT)
    const all = readAggregated(body)
    if (all !== undefined) return all
    return Promise.all(
      readGroupVersions(body).map(async ({ group, version }) =>
        readResourceList(group, version, await this.#get(groupVersionPath(group, version), 'application/json')),
      ),
    )
  }

  async #get(path: string, accept: string): Promise<unknown> {
    try {
      return await this.#sender.send({ method: 'GET', path, headers: { accept } }, readJson)
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return undefined
      throw error
    }
  }
}
