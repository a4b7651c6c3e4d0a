// Several servers of one process on one store, each with a TLS port and a certificate by which the others know it. Their clocks
// are the test's.

import { setImmediate as turn } from 'node:timers/promises'
import { ManualClock } from '@homeostat/base'
import { issueCertificate } from '@homeostat/pki'
import { MemoryStore, type Store } from '@homeostat/store'
import { onTestFinished } from 'vitest'
import { MEMBERS } from '../src/authn/members-group.ts'
import { type ApiServer, type ApiServerOptions, startApiServer } from '../src/index.ts'
import { makePki, readPki } from '../src/keys.ts'

const HOUR = 3_600_000
const PKI = readPki(await makePki())

export interface MemberServer {
  readonly id: string
  readonly server: ApiServer
  readonly clock: ManualClock
  readonly port: number
  close(): Promise<void>
}

export const authority = PKI.caCertificate

function validity() {
  return { notBefore: new Date(Date.now() - HOUR), notAfter: new Date(Date.now() + HOUR) }
}

export function memberCertificate(id: string, organizations: readonly string[] = [MEMBERS]) {
  const commonName = `system:homeostat:member:${id}`
  return issueCertificate(PKI.issuingAuthority, { commonName, organizations, usage: 'client', ...validity() })
}

export class MemberServers {
  readonly all: MemberServer[] = []
  readonly #store: Store

  constructor(store: Store = new MemoryStore({ shared: true })) {
    this.#store = store
    onTestFinished(async () => {
      for (const one of this.all) await one.close()
      await store.close()
    })
  }

  async start(id: string, options: Partial<ApiServerOptions> = {}): Promise<MemberServer> {
    const clock = new ManualClock(Date.now())
    const serving = issueCertificate(PKI.servingAuthority, {
      commonName: 'homeostat-server',
      usage: 'server',
      dnsNames: ['localhost'],
      addresses: ['127.0.0.1'],
      ...validity(),
    })
    const server = await startApiServer({
      store: this.#store,
      host: '127.0.0.1',
      port: undefined,
      clock,
      rolesLater: true,
      pki: PKI,
      secure: { host: '127.0.0.1', port: 0, identity: { ...serving, clientAuthorities: PKI.caCertificate } },
      member: { id, credentials: () => ({ ...memberCertificate(id), authorities: PKI.caCertificate }) },
      ...options,
    })
    let closing: Promise<void> | undefined
    const close = () => {
      closing ??= this.#close(server, clock)
      return closing
    }
    const member = { id, server, clock, port: server.secure?.address.port ?? 0, close }
    this.all.push(member)
    return member
  }

  /** Lets time pass on these servers until the condition holds. */
  async until(holds: () => boolean | undefined, among: readonly MemberServer[] = this.all): Promise<void> {
    for (let passed = 0; !holds(); passed += 100) {
      if (passed > 60_000) throw new Error('a minute passed on the servers, and it is not so')
      for (const { clock } of among) clock.advance(100)
      for (let round = 0; round < 20; round++) await turn()
    }
  }

  async #close(server: ApiServer, clock: ManualClock): Promise<void> {
    let isClosed = false
    const closed = server.close().then(() => {
      isClosed = true
    })
    while (!isClosed) {
      clock.advance(100)
      await turn()
    }
    await closed
  }
}
