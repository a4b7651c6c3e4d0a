// `executor({ type, functions })`: pulls processes from a colony's queue and runs them until it is closed.

import type { Client } from '@homeostat/client'
import { ColonyCalls } from './colony-calls.ts'
import { isExecutorEndedError } from './executor-ended-error.ts'
import { type ExecutorOptions, type RunningExecutor, type Settings, settingsOf } from './options.ts'
import { Puller } from './puller.ts'
import { withinTime } from './waiting.ts'

/** How long the deletion of the Executor may take. */
const DEREGISTER_MS = 5000

export function executor(options: ExecutorOptions): RunningExecutor {
  return new ExecutorLife(options)
}

class ExecutorLife implements RunningExecutor {
  readonly name: string
  readonly colony: string
  readonly ready: Promise<void>
  readonly done: Promise<void>
  readonly #options: ExecutorOptions
  readonly #settings: Settings
  readonly #starting = new AbortController()
  readonly #started: Promise<void>
  readonly #ending = new AbortController()
  #renewing: Promise<void> | undefined
  readonly #ended = Promise.withResolvers<void>()
  #client: Client | undefined
  #calls: ColonyCalls | undefined
  #puller: Puller | undefined
  #closing: Promise<void> | undefined

  constructor(options: ExecutorOptions) {
    this.#options = options
    this.#settings = settingsOf(options)
    this.name = this.#settings.name
    this.colony = this.#settings.colony
    this.#started = this.#start()
    this.#started.catch((error: unknown) => this.#fail(error, 'the executor could not start'))
    this.ready = this.#started
    this.done = this.#ended.promise
    // A program that does not await these promises finds the error in the log.
    for (const promise of [this.ready, this.done]) promise.catch(() => {})
    if (options.signal?.aborted) void this.close()
    else options.signal?.addEventListener('abort', this.#onSignal, { once: true })
  }

  get held(): number {
    return this.#puller?.running ?? 0
  }

  close(): Promise<void> {
    this.#closing ??= this.#end()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  readonly #onSignal = (): void => {
    void this.close()
  }

  async #start(): Promise<void> {
    const { name, colony, clock, log } = this.#settings
    const { client: given } = this.#options
    const client = given ?? (await this.#newClient())
    this.#client = client
    this.#starting.signal.throwIfAborted()
    const calls = new ColonyCalls({ client, colony, name, clock, instance: crypto.randomUUID() })
    this.#calls = calls
    const onEnd = (error: Error) => this.#fail(error, 'the executor ends')
    const puller = new Puller({ ...this.#settings, client, calls, onEnd })
    await puller.register(this.#starting.signal)
    this.#starting.signal.throwIfAborted()
    this.#puller = puller
    puller.start()
    this.#renewing = this.#renew(client)
    log.info({ executor: name, colony }, 'the executor works')
  }

  async #newClient(): Promise<Client> {
    // Who gives a client needs neither a kubeconfig nor Node's own transport.
    const { clientFromKubeconfig, defaultClient } = await import('@homeostat/client/node')
    const { credential } = this.#options
    return credential === undefined ? defaultClient() : clientFromKubeconfig({ path: credential })
  }

  /** Renews the token of the credential, if there is one. */
  async #renew(client: Client): Promise<void> {
    const { credential, clock, log } = this.#settings
    if (credential === undefined) return
    // Only credentials that end need it.
    const { renewTokens } = await import('./token-renewal.ts')
    const { token, tokenFile } = credential
    await renewTokens({ client, token, tokenFile, clock, log }, this.#ending.signal)
  }

  #fail(error: unknown, message: string): void {
    if (this.#closing !== undefined) return
    // Another program has the name, or the namespace is deleted: this program must not delete the Executor.
    if (isExecutorEndedError(error)) this.#calls = undefined
    this.#settings.log.error({ err: error, executor: this.name }, message)
    this.#ended.reject(error)
    void this.close()
  }

  async #end(): Promise<void> {
    this.#starting.abort(new Error('the executor was closed before it was ready'))
    this.#options.signal?.removeEventListener('abort', this.#onSignal)
    // The executor takes no more work from here on.
    if (this.#puller === undefined) await this.#started.catch(() => {})
    await this.#puller?.close()
    if (this.#calls !== undefined) await this.#deregister(this.#calls)
    this.#ending.abort()
    await this.#renewing
    if (this.#options.client === undefined) this.#client?.close()
    this.#ended.resolve()
  }

  async #deregister(calls: ColonyCalls): Promise<void> {
    const { clock, log } = this.#settings
    const { signal } = new AbortController()
    try {
      await withinTime({ clock, ms: DEREGISTER_MS, signal, what: 'the end' }, (inner) => calls.remove(inner))
    } catch (error) {
      log.debug(
        { err: error, executor: this.name },
        'the Executor stays; the server deletes it some time after it was lost',
      )
    }
  }
}
