// Keeps the defaults of every active namespace: the service account `default` and the ConfigMap with the certificates
// of the server. Creates them again when they are deleted, and restores them when they are changed.

import { type Clock, ControlLoop, type Log } from '@homeostat/base'
import { deepEqual, type KubeObject } from '@homeostat/meta'
import type { Api, ObjectChange, ResourceName } from '../registry/api.ts'
import { DELETED } from './garbage-metadata.ts'
import { metadataText } from './metadata-bytes.ts'
import {
  ACCOUNT,
  ACCOUNTS,
  AUTHENTICATION,
  CERTIFICATES,
  CLIENT_CA,
  CONFIG_MAPS,
  certificates,
  DESCRIPTION,
  defaultAccount,
} from './namespace-defaults.ts'

const NAMESPACES: ResourceName = { group: '', resource: 'namespaces' }

export interface NamespaceDefaultsOptions {
  readonly api: Api
  readonly log: Log
  readonly clock?: Clock
  /** PEM certificates. Without any, no namespace gets the ConfigMap. */
  readonly caBundle?: string | undefined
}

export class NamespaceDefaultsController {
  readonly #api: Api
  readonly #loop: ControlLoop
  #caBundle: string | undefined

  constructor({ api, log, clock, caBundle }: NamespaceDefaultsOptions) {
    this.#api = api
    this.#caBundle = caBundle
    this.#loop = new ControlLoop({ name: 'namespace-defaults', log, clock })
  }

  /** Puts other certificates into every namespace. */
  publish(caBundle: string): void {
    this.#caBundle = caBundle
    for (const { name } of this.#api.objects(NAMESPACES)) this.#loop.add(name)
  }

  /** Resolves when the signal has aborted and the last work is done. */
  async start(signal: AbortSignal): Promise<void> {
    const watched = (name: string) => {
      const ending = `/${name}`
      return ({ object, previous }: ObjectChange) => {
        const place = (object ?? previous)?.name ?? ''
        if (place.endsWith(ending)) this.#loop.add(place.slice(0, -ending.length))
      }
    }
    const stops = [
      this.#api.subscribe(NAMESPACES, ({ name, deleted }) => (deleted ? undefined : this.#loop.add(name))),
      this.#api.follow(ACCOUNTS, watched(ACCOUNT)),
      this.#api.follow(CONFIG_MAPS, watched(CERTIFICATES)),
    ]
    await this.#loop.run((namespace) => this.#reconcile(namespace), signal)
    for (const stop of stops) stop()
  }

  async #reconcile(name: string): Promise<void> {
    const namespace = this.#api.object(NAMESPACES, { name })
    if (!namespace || metadataText(namespace).includes(DELETED)) return
    await Promise.all([this.#ensureAccount(name), this.#ensureCertificates(name)])
    if (name === AUTHENTICATION.namespace) await this.#ensureAuthentication()
  }

  async #ensureAccount(namespace: string): Promise<void> {
    if (this.#api.object(ACCOUNTS, { namespace, name: ACCOUNT })) return
    await this.#create(ACCOUNTS, defaultAccount(namespace))
  }

  async #ensureCertificates(namespace: string): Promise<void> {
    if (this.#caBundle === undefined) return
    const wanted = certificates(namespace, this.#caBundle)
    const place = { namespace, name: CERTIFICATES }
    const found = this.#api.get(CONFIG_MAPS, place)
    if (found === undefined) {
      await this.#create(CONFIG_MAPS, wanted)
      return
    }
    if (deepEqual(found.data, wanted.data) && found.metadata.annotations?.[DESCRIPTION]) return
    await this.#api.change(CONFIG_MAPS, place, (object) => {
      object.data = wanted.data
      object.metadata.annotations = { ...object.metadata.annotations, ...wanted.metadata.annotations }
    })
  }

  /** Extension servers verify clients by it. It has fields of others too, and is created by the bootstrap. */
  async #ensureAuthentication(): Promise<void> {
    const caBundle = this.#caBundle
    // Compare first: a change that writes nothing decodes the object, too, and compiles the schema of its kind for that.
    const found = caBundle === undefined ? undefined : this.#api.get(CONFIG_MAPS, AUTHENTICATION)
    if (found === undefined || (found.data as Readonly<Record<string, string>> | undefined)?.[CLIENT_CA] === caBundle)
      return
    await this.#api.change(CONFIG_MAPS, AUTHENTICATION, (object) => {
      object.data = { ...(object.data as object), [CLIENT_CA]: caBundle }
    })
  }

  /** Ignores the failure in a namespace whose deletion has begun: it needs no defaults. */
  async #create(resource: ResourceName, object: KubeObject): Promise<void> {
    try {
      await this.#api.create(resource, object)
    } catch (error) {
      const namespace = this.#api.object(NAMESPACES, { name: object.metadata.namespace ?? '' })
      if (!namespace || metadataText(namespace).includes(DELETED)) return
      if (this.#api.object(resource, object.metadata as { namespace: string; name: string })) return
      throw error
    }
  }
}
