// Gives each executor that a controller starts an account of its own: the account with its rights, and a private folder with
// token, authority and address. It renews the tokens, and takes all of it back when the unit is gone.

import { join } from 'node:path'
import { type Clock, type Log, messageOf } from '@homeostat/base'
import type { ApiObject, Client } from '@homeostat/client'
import { accountName, type ExecutorAccount, executorAccount } from '@homeostat/executor/account'
import { executorExtension } from '@homeostat/executor/credential'
import { isStatusError, writeJson } from '@homeostat/meta'
import {
  ACCOUNT_PLACE,
  type AccountReader,
  accountEnv,
  accountFolders,
  accountKubeconfig,
  readAccountToken,
  removeAccountFolder,
  serverForContainers,
  writeAccountFolder,
} from '@homeostat/runtimes/account-folder'
import { isDue, type UnitRecord, unitRecord } from './unit-record.ts'

export interface UnitIdentitiesOptions {
  readonly client: Client
  /** The parent of the folders. */
  readonly directory: string
  /** The URL of the TLS port. */
  readonly server: string
  readonly clock: Clock
  readonly log: Log
}

export interface WantedIdentity {
  readonly namespace: string
  /** The name of the unit and of its executor. */
  readonly name: string
  readonly type: string
  /** The uid of the resource that the unit belongs to. */
  readonly ownerUid: string
  readonly isContainer: boolean
  readonly hostNetwork: boolean
}

/** What a unit needs to use its identity. */
export interface UnitAccess {
  readonly server: string
  readonly env: Readonly<Record<string, string>>
  /** For containers: the folder to mount at its place. */
  readonly mount?: { readonly source: string; readonly target: string; readonly readOnly: true }
  /** For processes: the credential file. */
  readonly kubeconfig?: string
}

/** On the account, the Role and the binding: the uid of the resource whose unit has them. */
const OWNER_LABEL = 'colonies.io/deployment-uid'
const MANAGER = 'colonies.io/executor-deployment'
const TOKEN_SECONDS = 86_400
const LOOK_EVERY_MS = 60_000

export class UnitIdentities {
  readonly #options: UnitIdentitiesOptions
  #cancel = () => {}
  #isClosed = false

  constructor(options: UnitIdentitiesOptions) {
    this.#options = options
    this.#again()
  }

  /** Makes the account, or takes the one of an earlier try. Rejects when the account of that name is somebody else's. */
  async give(wanted: WantedIdentity): Promise<UnitAccess> {
    const { namespace, name, type, ownerUid } = wanted
    await this.#checkOwner(namespace, name, ownerUid)
    const made = executorAccount({ namespace, name, type })
    for (const object of objectsOf(made)) {
      const { metadata } = object
      const labelled = { ...object, metadata: { ...metadata, labels: { ...metadata.labels, [OWNER_LABEL]: ownerUid } } }
      await this.#options.client
        .resourceOf(object.apiVersion ?? 'v1', object.kind ?? '')
        .apply(labelled, { fieldManager: MANAGER, force: true })
    }
    const { server } = this.#options
    const reached = wanted.isContainer && !wanted.hostNetwork ? serverForContainers(server) : server
    const reader: AccountReader = wanted.isContainer ? 'container' : 'owner'
    const record = { namespace, name, type, server: reached, reader }
    await this.#write(record)
    const folder = this.#folder(namespace, name)
    if (!wanted.isContainer) {
      return { server: reached, env: accountEnv(reached, folder), kubeconfig: join(folder, 'kubeconfig') }
    }
    const env = { ...accountEnv(reached, ACCOUNT_PLACE), KUBECONFIG: `${ACCOUNT_PLACE}/kubeconfig` }
    return { server: reached, env, mount: { source: folder, target: ACCOUNT_PLACE, readOnly: true } }
  }

  /** Removes the account first: what is left of the folder is worth nothing then. */
  async take(namespace: string, name: string, ownerUid: string): Promise<void> {
    const { client } = this.#options
    const account = await client.resource('v1', 'ServiceAccount').find({ name: accountName(name), namespace })
    if (account?.metadata.labels?.[OWNER_LABEL] === ownerUid) {
      for (const { apiVersion = '', kind = '', metadata } of objectsOf(
        executorAccount({ namespace, name, type: '' }),
      )) {
        await client
          .resourceOf(apiVersion, kind)
          .delete({ name: metadata.name ?? '', namespace })
          .catch(unlessGone)
      }
    }
    await removeAccountFolder(this.#folder(namespace, name))
  }

  /** Of a namespace that is deleted, with its accounts. */
  async takeAll(namespace: string): Promise<void> {
    await removeAccountFolder(join(this.#options.directory, namespace))
  }

  /** Renews what is due, and removes folders whose account is gone. */
  async look(): Promise<void> {
    const { directory, clock, log } = this.#options
    for (const namespace of await accountFolders(directory)) {
      for (const name of await accountFolders(join(directory, namespace))) {
        const folder = this.#folder(namespace, name)
        const record = await unitRecord(folder)
        if (record === undefined || !isDue(await readAccountToken(folder), clock.now())) continue
        await this.#write(record).catch(async (error: unknown) => {
          if (isStatusError(error, 'NotFound')) return removeAccountFolder(folder)
          log.warn(
            { err: messageOf(error), executor: name, namespace },
            'a token could not be renewed; it is tried again',
          )
        })
      }
    }
  }

  /** Renews no more. Units keep what they have. */
  close(): void {
    this.#isClosed = true
    this.#cancel()
  }

  #again(): void {
    this.#cancel = this.#options.clock.setTimer(LOOK_EVERY_MS, () => {
      const { log } = this.#options
      void this.look()
        .catch((error: unknown) => log.warn({ err: error }, 'tokens of executors could not be looked at'))
        .finally(() => {
          if (!this.#isClosed) this.#again()
        })
    })
  }

  async #write(record: UnitRecord): Promise<void> {
    const { namespace, name, type, server, reader } = record
    const [token, ca] = await Promise.all([this.#token(namespace, name), this.#authority(namespace)])
    const kubeconfig = accountKubeconfig(server, namespace, name, [executorExtension(name, type)])
    await writeAccountFolder(this.#folder(namespace, name), { token, ca, namespace, kubeconfig }, reader)
  }

  async #checkOwner(namespace: string, name: string, ownerUid: string): Promise<void> {
    const accounts = this.#options.client.resource('v1', 'ServiceAccount')
    const found = await accounts.find({ name: accountName(name), namespace })
    if (found === undefined || found.metadata.labels?.[OWNER_LABEL] === ownerUid) return
    throw new Error(
      `there is an account ${accountName(name)} in ${namespace} that is not of this resource: end it with homeostat executor revoke ${name} -n ${namespace}`,
    )
  }

  async #token(namespace: string, name: string): Promise<string> {
    const answer = (await this.#options.client.requestJson({
      method: 'POST',
      path: `/api/v1/namespaces/${namespace}/serviceaccounts/${accountName(name)}/token`,
      headers: { 'content-type': 'application/json' },
      body: writeJson({ spec: { expirationSeconds: TOKEN_SECONDS } }),
    })) as { status: { token: string } }
    return answer.status.token
  }

  /** The controllers of the server publish it in each namespace. */
  async #authority(namespace: string): Promise<string> {
    const maps = this.#options.client.resource('v1', 'ConfigMap')
    const ca = (await maps.find({ name: 'kube-root-ca.crt', namespace }))?.data?.['ca.crt']
    if (ca === undefined)
      throw new Error(`the ConfigMap kube-root-ca.crt of ${namespace} does not name an authority yet`)
    return ca
  }

  #folder(namespace: string, name: string): string {
    return join(this.#options.directory, namespace, name)
  }
}

/** In the order in which they are made: an account without a Role may do nothing. */
function objectsOf({ account, role, binding }: ExecutorAccount): ApiObject[] {
  return [account, role, binding]
}

function unlessGone(error: unknown): void {
  if (!isStatusError(error, 'NotFound')) throw error
}
