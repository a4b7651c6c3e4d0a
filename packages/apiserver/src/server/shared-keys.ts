// Servers on one store have the same keys: otherwise each refuses what the others gave out. The names of the keys are kept in the
// store, never the keys, and a server that has none of them does not start.

import { createHash, X509Certificate } from 'node:crypto'
import type { Log } from '@homeostat/base'
import { isStatusError, type KubeObject } from '@homeostat/meta'
import { tokenKeyId } from '../authn/token.ts'
import type { Pki } from '../pki/pki.ts'
import type { Api, ResourceName } from '../registry/api.ts'
import { StartRefusal } from './start-refusal.ts'

const CONFIG_MAPS: ResourceName = { group: '', resource: 'configmaps' }
const PLACE = { namespace: 'kube-system', name: 'homeostat-keys' }

/** An authority's name begins with when it was made, so that a server which lags in a rotation is known by it. */
interface KeyNames {
  readonly authorities: readonly string[]
  readonly tokenKeys: readonly string[]
}

export class SharedKeys {
  readonly #api: Api
  readonly #pki: Pki

  constructor(api: Api, pki: Pki) {
    this.#api = api
    this.#pki = pki
  }

  /** Rejects with a StartRefusal when the servers of this store have other keys. Writes nothing. */
  async check(): Promise<void> {
    const object = this.#api.get(CONFIG_MAPS, PLACE)
    if (object !== undefined) refuseOthers(namesIn(object), this.#own())
  }

  /** Writes down the keys' names. Throws a StartRefusal when another server with other keys was faster. */
  async record(): Promise<void> {
    const own = this.#own()
    const { namespace, name } = PLACE
    const object: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name }, data: dataOf(own) }
    try {
      await this.#api.create(CONFIG_MAPS, object)
    } catch (error) {
      if (!isStatusError(error, 'AlreadyExists')) throw error
      await this.#api.change(CONFIG_MAPS, PLACE, (current) => {
        const stored = namesIn(current)
        refuseOthers(stored, own)
        Object.assign(current, { data: dataOf(merged(stored, own)) })
      })
    }
  }

  /** After a rotation. What fails is logged. */
  recordLater(log: Log): void {
    this.record().catch((error: unknown) => log.error({ err: error }, 'the names of the new keys could not be stored'))
  }

  #own(): KeyNames {
    const { caCertificate, tokenKeys } = this.#pki
    return { authorities: authorityNames(caCertificate), tokenKeys: tokenKeys.map(tokenKeyId) }
  }
}

function authorityNames(pem: string): string[] {
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return certificates
    .map((text) => {
      const certificate = new X509Certificate(text)
      const digest = createHash('sha256').update(certificate.raw).digest('hex')
      return `${new Date(certificate.validFrom).toISOString()} sha256:${digest}`
    })
    .sort()
}

function refuseOthers(stored: KeyNames, own: KeyNames): void {
  const shares = (kind: keyof KeyNames) =>
    stored[kind].length === 0 || stored[kind].some((name) => own[kind].includes(name))
  if (shares('authorities') && shares('tokenKeys')) return
  const which = shares('authorities') ? 'keys of tokens' : 'authority'
  throw new StartRefusal(
    `the servers of this store have another ${which} than this data directory; give it theirs with --join-file or ` +
      '`homeostat keys import`, or name the data directory that has them',
  )
}

/** Of two states of a rotation the later one counts. Former keys of tokens stay known, since nothing says when they end. */
function merged(stored: KeyNames, own: KeyNames): KeyNames {
  const isBehind = (own.authorities.at(-1) ?? '') < (stored.authorities.at(-1) ?? '')
  const tokenKeys = [...new Set([...own.tokenKeys, ...stored.tokenKeys])]
  return { authorities: isBehind ? stored.authorities : own.authorities, tokenKeys: tokenKeys.slice(0, MOST_KEYS) }
}

const MOST_KEYS = 50

function dataOf({ authorities, tokenKeys }: KeyNames): Record<string, string> {
  return { authorities: authorities.join('\n'), tokenKeys: tokenKeys.join('\n') }
}

function namesIn(object: KubeObject): KeyNames {
  const { authorities = '', tokenKeys = '' } = (object.data ?? {}) as Partial<Record<keyof KeyNames, string>>
  const lines = (text: string) => text.split('\n').filter((line) => line !== '')
  return { authorities: lines(authorities), tokenKeys: lines(tokenKeys) }
}
