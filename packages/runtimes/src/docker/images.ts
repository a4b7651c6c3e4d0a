// Ensures that an image is present before a container is created from it: pulls it if the policy requires that. Concurrent
// starts with the same image share one pull.

import { writeJson } from '@homeostat/meta'
import type { PullPolicy, RegistryLogin } from '../runtime.ts'
import { type Engine, isRefusal } from './engine.ts'
import { imageReference } from './image-reference.ts'
import { jsonLines } from './json-lines.ts'

export interface ImagesOptions {
  readonly pullTimeoutMs: number
  readonly onPull: (image: string, step: string) => void
}

interface PullStep {
  readonly status?: string
  readonly id?: string
  readonly error?: string
}

export class Images {
  readonly #engine: Engine
  readonly #options: ImagesOptions
  readonly #pulls = new Map<string, Promise<void>>()

  constructor(engine: Engine, options: ImagesOptions) {
    this.#engine = engine
    this.#options = options
  }

  /** Rejects when the image is missing and cannot be pulled. */
  async ensure(image: string, policy: PullPolicy, signal: AbortSignal, login?: RegistryLogin): Promise<void> {
    if (policy !== 'Always' && (await this.#isHere(image))) return
    if (policy === 'Never') {
      throw new Error(
        `image ${image} is not on this machine, and its pull policy is Never: docker pull ${image}, or use IfNotPresent`,
      )
    }
    // Others with the same image may be refused what this login gets.
    const key = [image, login?.username, login?.password].join('\0')
    const pull = this.#pulls.get(key) ?? this.#pull(image, signal, login).finally(() => this.#pulls.delete(key))
    this.#pulls.set(key, pull)
    await pull
  }

  async #isHere(image: string): Promise<boolean> {
    try {
      await this.#engine.call('GET', `/images/${encodeURI(image)}/json`)
      return true
    } catch (error) {
      if (isRefusal(error, 404)) return false
      throw error
    }
  }

  async #pull(image: string, closing: AbortSignal, login: RegistryLogin | undefined): Promise<void> {
    const { pullTimeoutMs, onPull } = this.#options
    const { name, tag } = imageReference(image)
    const timeout = AbortSignal.timeout(pullTimeoutMs)
    const signal = AbortSignal.any([closing, timeout])
    try {
      const query = { fromImage: name, tag }
      const headers = login && { 'x-registry-auth': Buffer.from(writeJson({ ...login })).toString('base64url') }
      const stream = await this.#engine.stream('POST', '/images/create', { query, signal, ...(headers && { headers }) })
      let last = ''
      for await (const { status = '', id, error } of jsonLines<PullStep>(stream)) {
        if (error !== undefined) throw new Error(error)
        const step = id === undefined ? status : `${id}: ${status}`
        // Reports each status once: a download repeats it with other numbers many times a second.
        if (step !== last) onPull(image, step)
        last = step
      }
    } catch (cause) {
      if (closing.aborted) throw new Error('the docker runtime is closed', { cause })
      const reason = timeout.aborted ? `it took longer than ${pullTimeoutMs / 1000} s` : (cause as Error).message
      throw new Error(
        `cannot pull image ${image}: ${reason}; check its name, or bring it here yourself with docker pull ${image}`,
        { cause },
      )
    }
  }
}
