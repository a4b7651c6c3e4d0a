// Removes the protection finalizer of claims, volumes and VolumeAttributesClasses under deletion once nothing uses
// them. Kubernetes has three controllers for this in kube-controller-manager; admission adds the finalizer.

import { type Clock, ControlLoop, type Log } from '@homeostat/base'
import { IN_USE_FINALIZER, type ProtectedResource } from '../builtin/rules/in-use-protection.ts'
import type { Api, ObjectName, ResourceName } from '../registry/api.ts'
import { DELETED, dropFinalizer } from './garbage-metadata.ts'
import { metadataText } from './metadata-bytes.ts'
import { isInUse, type StorageUsers } from './storage-protection-plan.ts'

const PODS: ResourceName = { group: '', resource: 'pods' }
const PROTECTED: Readonly<Record<ProtectedResource, ResourceName>> = {
  persistentvolumeclaims: { group: '', resource: 'persistentvolumeclaims' },
  persistentvolumes: { group: '', resource: 'persistentvolumes' },
  volumeattributesclasses: { group: 'storage.k8s.io', resource: 'volumeattributesclasses' },
}

interface StorageProtectionOptions {
  readonly api: Api
  readonly log: Log
  readonly clock?: Clock
}

export class StorageProtection {
  readonly #api: Api
  readonly #loop: ControlLoop
  /** Objects under deletion as `resource/namespace/name`: every change of a user queues them again. */
  readonly #deleted = new Set<string>()

  constructor({ api, log, clock }: StorageProtectionOptions) {
    this.#api = api
    this.#loop = new ControlLoop({ name: 'storage-protection', log, clock })
  }

  /** Resolves when the signal has aborted and the last work is done. */
  async start(signal: AbortSignal): Promise<void> {
    const stops = Object.values(PROTECTED).map((resource) =>
      this.#api.subscribe(resource, ({ namespace = '', name }) => {
        this.#lookAgain()
        const object = this.#api.object(resource, placeOf(namespace, name))
        if (object && metadataText(object).includes(DELETED)) this.#add(`${resource.resource}/${namespace}/${name}`)
      }),
    )
    stops.push(this.#api.follow(PODS, () => this.#lookAgain()))
    await this.#loop.run((key) => this.#reconcile(key), signal)
    for (const stop of stops) stop()
  }

  #add(key: string): void {
    this.#deleted.add(key)
    this.#loop.add(key)
  }

  #lookAgain(): void {
    for (const key of this.#deleted) this.#loop.add(key)
  }

  async #reconcile(key: string): Promise<void> {
    const [kind, namespace = '', name = ''] = key.split('/') as [ProtectedResource, string, string]
    const place = placeOf(namespace, name)
    const object = this.#api.get(PROTECTED[kind], place)
    const finalizer = IN_USE_FINALIZER[kind]
    if (!object?.metadata.deletionTimestamp || !object.metadata.finalizers?.includes(finalizer)) {
      this.#deleted.delete(key)
      return
    }
    if (isInUse(kind, object, this.#users(kind, namespace))) return
    await this.#api.change(PROTECTED[kind], place, ({ metadata }) => dropFinalizer(metadata, finalizer))
  }

  #users(kind: ProtectedResource, namespace: string): StorageUsers {
    const ofClass = kind === 'volumeattributesclasses'
    return {
      pods: kind === 'persistentvolumeclaims' ? this.#api.list(PODS, namespace) : [],
      claims: ofClass ? this.#api.list(PROTECTED.persistentvolumeclaims) : [],
      volumes: ofClass ? this.#api.list(PROTECTED.persistentvolumes) : [],
    }
  }
}

function placeOf(namespace: string, name: string): ObjectName {
  return namespace === '' ? { name } : { namespace, name }
}
