// `POST bootstraptokens/{name}/join`: trades one use of a bootstrap token for the account and the token of a new executor. The
// use is taken first, under the lock of its object, so that parallel calls never let in one too many.

import type { Api, ExtensionAnswer, ExtensionRequest, ResourceName } from '@homeostat/apiserver'
import type { Clock } from '@homeostat/base'
import type { Client } from '@homeostat/client'
import { accountName, executorAccount } from '@homeostat/executor/account'
import type { BootstrapToken, JoinRequest, JoinResponse } from '@homeostat/executor/protocol'
import {
  badRequest,
  dns1123Subdomain,
  forbidden,
  generateName,
  isObject,
  type KubeObject,
  notFound,
  writeJson,
} from '@homeostat/meta'
import { BOOTSTRAP_TOKENS, EXECUTORS } from '../kinds/resources.ts'
import { giveBack, takeUse } from './take-use.ts'

export interface JoinCallParts {
  readonly api: Api
  readonly client: () => Promise<Client>
  readonly clock: Clock
}

const ACCOUNTS: ResourceName = { group: '', resource: 'serviceaccounts' }
const ROLES: ResourceName = { group: 'rbac.authorization.k8s.io', resource: 'roles' }
const BINDINGS: ResourceName = { group: 'rbac.authorization.k8s.io', resource: 'rolebindings' }

/** The life of an executor's first token, which it renews. */
const TOKEN_SECONDS = 86_400
/** `executor-` goes before it in the names of its objects. */
const LONGEST_NAME = 200

export class JoinCall {
  readonly #parts: JoinCallParts

  constructor(parts: JoinCallParts) {
    this.#parts = parts
  }

  async respond(request: ExtensionRequest): Promise<ExtensionAnswer> {
    const { namespace = '', name: tokenName } = request
    const wanted = readName(await request.json())
    const { spec } = this.#read(namespace, tokenName)
    const name = wanted ?? generateName(`${nameOfType(spec.executorType)}-`)
    await this.#take(namespace, tokenName, name)
    const options = { namespace, name, type: spec.executorType, ...(spec.children && { children: spec.children }) }
    const { account, role, binding } = executorAccount(options)
    const { api } = this.#parts
    try {
      // The account first: a name that exists is refused, so that nobody joins as an executor that is there.
      await api.create(ACCOUNTS, account as KubeObject)
    } catch (error) {
      await this.#changeStatus(namespace, tokenName, (token) => giveBack(token.status ?? {}, name))
      throw error
    }
    await api.create(ROLES, role as KubeObject)
    if (spec.approval) await this.#pend(namespace, name, spec.executorType)
    else await api.create(BINDINGS, binding as KubeObject)
    const { token, expiresAt } = await this.#token(namespace, accountName(name))
    const body: JoinResponse = {
      executor: name,
      colony: namespace,
      type: spec.executorType,
      approved: !spec.approval,
      token,
      expiresAt,
    }
    return { status: 201, body }
  }

  #read(namespace: string, name: string): BootstrapToken {
    const token = this.#parts.api.get(BOOTSTRAP_TOKENS, { namespace, name })
    if (token === undefined) throw notFound(BOOTSTRAP_TOKENS, name)
    return token as unknown as BootstrapToken
  }

  async #take(namespace: string, tokenName: string, executor: string): Promise<void> {
    const { clock } = this.#parts
    await this.#changeStatus(namespace, tokenName, ({ spec, status }) => {
      const next = takeUse(spec, status ?? {}, executor, clock.now())
      if (typeof next === 'string') {
        const text = `the bootstrap token lets nobody in: ${next}; ask for another one`
        throw forbidden({ ...BOOTSTRAP_TOKENS, name: tokenName }, text)
      }
      return next
    })
  }

  async #changeStatus(namespace: string, name: string, next: (token: BootstrapToken) => unknown): Promise<void> {
    const written = await this.#parts.api.writeStatus(BOOTSTRAP_TOKENS, { namespace, name }, (token) =>
      next(token as unknown as BootstrapToken),
    )
    if (written === undefined) throw notFound(BOOTSTRAP_TOKENS, name)
  }

  /** Shows an executor that waits for its approval: it has an account, and no right yet. */
  async #pend(namespace: string, name: string, type: string): Promise<void> {
    const { api } = this.#parts
    const spec = { type, serviceAccountName: accountName(name) }
    const metadata = { name, namespace }
    await api.create(EXECUTORS, { apiVersion: 'colonies.io/v1', kind: 'Executor', metadata, spec })
    await api.writeStatus(EXECUTORS, metadata, () => ({ phase: 'Pending' }))
  }

  async #token(namespace: string, account: string): Promise<{ token: string; expiresAt: string }> {
    const client = await this.#parts.client()
    const answer = (await client.requestJson({
      method: 'POST',
      path: `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`,
      headers: { 'content-type': 'application/json' },
      body: writeJson({ spec: { expirationSeconds: TOKEN_SECONDS } }),
    })) as unknown as { status: { token: string; expirationTimestamp: string } }
    return { token: answer.status.token, expiresAt: answer.status.expirationTimestamp }
  }
}

function readName(body: unknown): string | undefined {
  if (body === undefined) return undefined
  if (!isObject(body)) throw badRequest('the body must be an object')
  const { name } = body as JoinRequest
  if (name === undefined) return undefined
  if (typeof name === 'string' && name.length <= LONGEST_NAME && dns1123Subdomain(name).length === 0) return name
  throw badRequest(`name must be a DNS name of at most ${LONGEST_NAME} characters`)
}

/** A type is any text, a name is not. */
function nameOfType(type: string): string {
  const name = type
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return name === '' ? 'executor' : name.slice(0, 50)
}
