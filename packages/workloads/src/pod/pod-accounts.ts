// The identity of a pod's programs: a token of its service account that is bound to the pod, with the server's authority and
// address, in a private folder. Each reconcile keeps it fresh; the folder goes with the pod.

import { join } from 'node:path'
import { type Clock, type Log, messageOf } from '@homeostat/base'
import type { Client } from '@homeostat/client'
import { writeJson } from '@homeostat/meta'
import type { Runtime, Unit } from '@homeostat/runtimes'
import {
  ACCOUNT_PLACE,
  accountEnv,
  accountFolders,
  accountKubeconfig,
  removeAccountFolder,
  serverForContainers,
  writeAccountFolder,
} from '@homeostat/runtimes/account-folder'
import type { Pod } from '../kinds.ts'

export interface PodAccountOptions {
  /** The parent of the folders. */
  readonly directory: string
  /** The URL of the TLS port; undefined for a server without one, whose pods get no identity. */
  readonly server: Promise<string | undefined>
}

/** What the units of a pod get. */
export interface PodAccess extends Required<Pick<Unit, 'env' | 'mounts'>> {
  readonly reachesHost: boolean
}

/** The identity of the pod, or why it has none yet. */
export interface GivenAccess {
  readonly access?: PodAccess
  readonly problem?: unknown
  /** How long until it is renewed. */
  readonly dueMs: number
}

interface Kept {
  readonly access: PodAccess
  /** When to renew, in ms since the epoch. */
  readonly dueAt: number
}

/** As the kubelet asks for. */
const TOKEN_SECONDS = 3607
const RETRY_MS = 10_000

export class PodAccounts {
  readonly #options: PodAccountOptions
  readonly #client: Client
  readonly #clock: Pick<Clock, 'now'>
  readonly #log: Log
  /** By pod uid; undefined for a pod that wants none. */
  readonly #kept = new Map<string, Kept | undefined>()

  constructor(options: PodAccountOptions, client: Client, clock: Pick<Clock, 'now'>, log: Log) {
    this.#options = options
    this.#log = log
    this.#client = client
    this.#clock = clock
  }

  /** A failure is kept for the containers that start: those that run go on with what they have. */
  async give(pod: Pod, runtime: Runtime, signal: AbortSignal): Promise<GivenAccess | undefined> {
    try {
      const access = isOver(pod) ? undefined : await this.#keep(pod, runtime, signal)
      return access && { access, dueMs: this.#dueMs(pod) }
    } catch (error) {
      signal.throwIfAborted()
      this.#log.warn({ err: error, pod: pod.metadata.name }, 'a pod could not get the token of its account')
      return { problem: error, dueMs: RETRY_MS }
    }
  }

  /** Makes or renews it when that is due. Undefined for a pod that gets none. */
  async #keep(pod: Pod, runtime: Runtime, signal: AbortSignal): Promise<PodAccess | undefined> {
    const { uid = '' } = pod.metadata
    const server = await this.#options.server
    if (server === undefined || runtime.simulated || uid === '') return undefined
    const kept = this.#kept.get(uid)
    if (kept === undefined && this.#kept.has(uid)) return undefined
    if (kept !== undefined && this.#clock.now() < kept.dueAt) return kept.access
    const made = await this.#make(pod, runtime, server, signal)
    this.#kept.set(uid, made)
    return made?.access
  }

  async drop(uid: string): Promise<void> {
    this.#kept.delete(uid)
    await removeAccountFolder(join(this.#options.directory, uid)).catch((error: unknown) => {
      this.#log.warn({ err: error }, 'the folder of a token could not be removed')
    })
  }

  /** Removes the folders of pods that ended while nobody looked. */
  async sweep(isThere: (uid: string) => boolean): Promise<void> {
    for (const uid of await accountFolders(this.#options.directory)) if (!isThere(uid)) await this.drop(uid)
  }

  #dueMs({ metadata: { uid = '' } }: Pod): number {
    const kept = this.#kept.get(uid)
    return kept === undefined ? Number.POSITIVE_INFINITY : Math.max(0, kept.dueAt - this.#clock.now())
  }

  async #make(pod: Pod, runtime: Runtime, server: string, signal: AbortSignal): Promise<Kept | undefined> {
    const { namespace = '', uid = '' } = pod.metadata
    const account = pod.spec?.serviceAccountName || 'default'
    if (!(await this.#isWanted(pod, namespace, account, signal))) return undefined
    const isContainer = runtime.name === 'docker'
    const hasOwnNetwork = isContainer && pod.spec?.hostNetwork !== true
    const reached = hasOwnNetwork ? serverForContainers(server) : server
    const folder = join(this.#options.directory, uid)
    const [{ token, expiresAt }, ca] = await Promise.all([
      this.#token(pod, namespace, account, signal),
      this.#authority(signal),
    ])
    const kubeconfig = accountKubeconfig(reached, namespace, account)
    await writeAccountFolder(folder, { token, ca, namespace, kubeconfig }, isContainer ? 'container' : 'owner')
    const mounts = isContainer ? [{ source: folder, target: ACCOUNT_PLACE, readOnly: true }] : []
    const env = accountEnv(reached, isContainer ? ACCOUNT_PLACE : folder)
    const now = this.#clock.now()
    return { access: { env, mounts, reachesHost: hasOwnNetwork }, dueAt: now + (expiresAt - now) / 2 }
  }

  /** The pod's own word goes before that of its account. */
  async #isWanted({ spec }: Pod, namespace: string, name: string, signal: AbortSignal): Promise<boolean> {
    if (spec?.automountServiceAccountToken !== undefined) return spec.automountServiceAccountToken
    const account = await this.#client.resource('v1', 'ServiceAccount').get({ name, namespace }, { signal })
    return account.automountServiceAccountToken ?? true
  }

  async #token({ metadata }: Pod, namespace: string, account: string, signal: AbortSignal) {
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: metadata.name, uid: metadata.uid }
    try {
      const { status } = (await this.#client.requestJson({
        method: 'POST',
        path: `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`,
        headers: { 'content-type': 'application/json' },
        body: writeJson({ spec: { expirationSeconds: TOKEN_SECONDS, boundObjectRef } }),
        signal,
      })) as { status: { token: string; expirationTimestamp: string } }
      return { token: status.token, expiresAt: Date.parse(status.expirationTimestamp) }
    } catch (cause) {
      throw new Error(`no token for the service account ${account}: ${messageOf(cause)}`, { cause })
    }
  }

  /** The same in every namespace, and there before any other namespace is. */
  async #authority(signal: AbortSignal): Promise<string> {
    const maps = this.#client.resource('v1', 'ConfigMap')
    const map = await maps.get({ name: 'kube-root-ca.crt', namespace: 'default' }, { signal })
    return map.data?.['ca.crt'] ?? ''
  }
}

/** Its containers do not run again. */
function isOver({ metadata, status }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined || status?.phase === 'Succeeded' || status?.phase === 'Failed'
}
