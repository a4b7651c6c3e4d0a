// A cluster of etcd on loopback, of real members, in a folder of its own. Tests have it as `@homeostat/store/testing/etcd/etcd-cluster`,
// people as `scripts/etcd-up`. It ends with the process that made it.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@homeostat/base/testing/eventually'
import { issueCertificate, makeAuthority } from '@homeostat/pki'
import { EtcdMember } from './etcd-member.ts'
import { etcdProgram } from './etcd-program.ts'
import { restoreSnapshot } from './etcd-snapshot.ts'
import { type GatewayTls, gateway } from './gateway.ts'

export interface EtcdClusterOptions {
  /** Default 3. */
  readonly members?: number | undefined
  /** Default: a temporary one, which `close` removes. */
  readonly folder?: string | undefined
  /** TLS for clients, with a certificate of the same authority asked of each. Default false. */
  readonly tls?: boolean | undefined
  /** Turns authentication on, with this user and `root`, who have the same password and the role `root`. */
  readonly auth?: { readonly user: string; readonly password: string } | undefined
  /** Without a leader for so long, a member wants to become one. Default 1000, as etcd's. A tenth of it is between heartbeats. */
  readonly electionMs?: number | undefined
  /** How large the database may become. Default 2 GiB, as etcd's. */
  readonly quotaBytes?: number | undefined
  /** Whether writes wait for the disk. False is for tests: what a killed process wrote is there all the same. Default true. */
  readonly fsync?: boolean | undefined
  /** Makes the address that a member tells the others, for a proxy in front of where it listens. Default: where it listens. */
  readonly peerAddress?: ((name: string, port: number) => Promise<number>) | undefined
  /** Further flags of each member. */
  readonly flags?: readonly string[] | undefined
  /** Default: the newest that this project is tested on. */
  readonly version?: string | undefined
}

export interface EtcdCluster {
  readonly members: readonly EtcdMember[]
  readonly folder: string
  readonly endpoints: readonly string[]
  /** What a client needs for `tls`. */
  readonly tls: GatewayTls | undefined
  /** Calls a member, the first by default, through its JSON gateway, as root where there is authentication. */
  // biome-ignore lint/suspicious/noExplicitAny: answers have many shapes, and tests read what they know.
  call(path: string, body?: unknown, member?: EtcdMember): Promise<any>
  /** The member that leads, as a running one says; waits until there is one. */
  leader(): Promise<EtcdMember>
  /** Removes the member from the cluster, and adds an empty one at its addresses. */
  replace(member: EtcdMember): Promise<EtcdMember>
  /** Ends all members and starts them anew with what a snapshot has (etcd-snapshot.ts). */
  restore(snapshot: string): Promise<void>
  close(): Promise<void>
}

const HOST = '127.0.0.1'
const TOKEN = 'homeostat'
/** Somebody else may take a port between its choice and its use. */
const START_TRIES = 5

export async function startEtcd(options: EtcdClusterOptions = {}): Promise<EtcdCluster> {
  const program = await etcdProgram(options.version)
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'homeostat-etcd-'))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (let tries = 1; ; tries++) {
    const cluster = new Cluster(options, program, folder)
    try {
      await cluster.start()
      return cluster
    } catch (error) {
      await cluster.close()
      if (tries === START_TRIES || !`${error}`.includes('address already in use')) throw error
    }
  }
}

class Cluster implements EtcdCluster {
  readonly folder: string
  readonly tls: GatewayTls | undefined
  readonly members: EtcdMember[] = []
  readonly #options: EtcdClusterOptions
  readonly #program: string
  readonly #tlsFlags: readonly string[]
  readonly #gatewayTls: GatewayTls | undefined
  /** The addresses by the member's name. */
  readonly #clientPorts = new Map<string, number>()
  readonly #peerPorts = new Map<string, number>()
  readonly #peerUrls = new Map<string, string>()
  #generation = 0
  #token: string | undefined

  constructor(options: EtcdClusterOptions, program: string, folder: string) {
    this.#options = options
    this.#program = program
    this.folder = folder
    const certificates = options.tls === true ? writeCertificates(folder) : undefined
    this.tls = certificates?.client
    this.#gatewayTls = certificates?.gateway
    this.#tlsFlags = certificates?.flags ?? []
  }

  get endpoints(): string[] {
    return this.members.map((member) => member.clientUrl)
  }

  async start(): Promise<void> {
    const names = Array.from({ length: this.#options.members ?? 3 }, (_, index) => `m${index + 1}`)
    const ports = await freePorts(names.length * 2)
    for (const [index, name] of names.entries()) {
      const listen = ports[index * 2] ?? 0
      this.#peerPorts.set(name, listen)
      this.#clientPorts.set(name, ports[index * 2 + 1] ?? 0)
      const told = (await this.#options.peerAddress?.(name, listen)) ?? listen
      this.#peerUrls.set(name, `http://${HOST}:${told}`)
    }
    for (const name of names) this.members.push(this.#member(name, this.#initialCluster(names), 'new'))
    for (const member of this.members) member.launch()
    await Promise.all(this.members.map((member) => member.ready()))
    if (this.#options.auth !== undefined) await this.#enableAuth(this.#options.auth)
  }

  async call(path: string, body?: unknown, member = this.members[0]) {
    if (member === undefined) throw new Error('the cluster has no members')
    const target = { url: member.clientUrl, tls: this.#gatewayTls, token: this.#token }
    try {
      return await gateway(target, path, body)
    } catch (error) {
      if (this.#options.auth === undefined || !`${error}`.includes('invalid auth token')) throw error
    }
    await this.#logIn(member)
    return gateway({ ...target, token: this.#token }, path, body)
  }

  async leader(): Promise<EtcdMember> {
    for (;;) {
      for (const member of this.members.filter(({ running }) => running)) {
        const status = await this.#status(member)
        if (status !== undefined && status.leader === status.header?.member_id) return member
      }
    }
  }

  async replace(member: EtcdMember): Promise<EtcdMember> {
    const place = this.members.indexOf(member)
    const other = this.members.find((one) => one !== member && one.running)
    if (place < 0 || other === undefined) throw new Error(`${member.name} cannot be replaced: no other member runs`)
    const { members } = await this.call('/v3/cluster/member/list', {}, other)
    const id = members.find((one: { name: string }) => one.name === member.name)?.ID
    await member.kill()
    // The members refuse while they have no leader, and until they have been connected to each other for five seconds.
    const told = { peerURLs: [this.#peerUrls.get(member.name)] }
    await until(async () => {
      const list = await this.call('/v3/cluster/member/list', {}, other)
      if (!list.members.some((one: { ID: string }) => one.ID === id)) return
      await this.call('/v3/cluster/member/remove', { ID: id }, other)
    })
    await until(() =>
      this.call('/v3/cluster/member/add', told, other).catch((error: Error) => {
        // An addition without an answer may have been made.
        if (!error.message.includes('already exists')) throw error
      }),
    )
    const names = this.members.map(({ name }) => name)
    const fresh = this.#member(member.name, this.#initialCluster(names), 'existing')
    this.members[place] = fresh
    await fresh.start()
    return fresh
  }

  async restore(snapshot: string): Promise<void> {
    await Promise.all(this.members.map((member) => member.kill()))
    const names = this.members.map(({ name }) => name)
    const initialCluster = this.#initialCluster(names)
    for (const [place, name] of names.entries()) {
      const member = this.#member(name, initialCluster, 'existing')
      const peerUrl = this.#peerUrls.get(name) ?? ''
      const dataDirectory = join(member.folder, 'data')
      await restoreSnapshot(snapshot, { name, dataDirectory, peerUrl, initialCluster, token: TOKEN })
      this.members[place] = member
    }
    for (const member of this.members) member.launch()
    await Promise.all(this.members.map((member) => member.ready()))
  }

  async close(): Promise<void> {
    await Promise.all(this.members.map((member) => member.kill()))
    if (this.#options.folder === undefined) rmSync(this.folder, { recursive: true, force: true })
  }

  #member(name: string, initialCluster: string, state: 'new' | 'existing'): EtcdMember {
    const { electionMs = 1000, quotaBytes, fsync = true, flags = [] } = this.#options
    const clientUrl = `${this.tls === undefined ? 'http' : 'https'}://${HOST}:${this.#clientPorts.get(name)}`
    const folder = join(this.folder, state === 'new' ? name : `${name}-${++this.#generation}`)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const settings = {
      name,
      'data-dir': join(folder, 'data'),
      'listen-client-urls': clientUrl,
      'advertise-client-urls': clientUrl,
      'listen-peer-urls': `http://${HOST}:${this.#peerPorts.get(name)}`,
      'initial-advertise-peer-urls': this.#peerUrls.get(name),
      'initial-cluster': initialCluster,
      'initial-cluster-state': state,
      'initial-cluster-token': TOKEN,
      'election-timeout': electionMs,
      'heartbeat-interval': Math.max(1, Math.floor(electionMs / 10)),
      'quota-backend-bytes': quotaBytes,
      'unsafe-no-fsync': fsync ? undefined : true,
      'log-level': 'warn',
    }
    const given = Object.entries(settings).flatMap(([flag, value]) =>
      value === undefined ? [] : [`--${flag}=${value}`],
    )
    const answers = async (one: EtcdMember) =>
      gateway({ url: one.clientUrl, tls: this.#gatewayTls, timeoutMs: 2000 }, '/health').then(
        ({ health }) => health === 'true',
        () => false,
      )
    const all = [...given, ...this.#tlsFlags, ...flags]
    return new EtcdMember({ name, clientUrl, folder, program: this.#program, flags: all, answers })
  }

  #initialCluster(names: readonly string[]): string {
    return names.map((name) => `${name}=${this.#peerUrls.get(name)}`).join(',')
  }

  async #status(member: EtcdMember) {
    return this.call('/v3/maintenance/status', {}, member).catch(() => undefined)
  }

  async #enableAuth({ user, password }: { user: string; password: string }): Promise<void> {
    await this.call('/v3/auth/role/add', { name: 'root' })
    for (const name of new Set(['root', user])) await this.call('/v3/auth/user/add', { name, password })
    await this.call('/v3/auth/user/grant', { user: 'root', role: 'root' })
    // Nobody else may compact.
    await this.call('/v3/auth/user/grant', { user, role: 'root' })
    await this.call('/v3/auth/enable', {})
    await this.#logIn(this.members[0])
  }

  async #logIn(member: EtcdMember | undefined): Promise<void> {
    if (member === undefined || this.#options.auth === undefined) return
    const who = { name: 'root', password: this.#options.auth.password }
    this.#token = (await gateway({ url: member.clientUrl, tls: this.#gatewayTls }, '/v3/auth/authenticate', who)).token
  }
}

function writeCertificates(folder: string): { client: GatewayTls; gateway: GatewayTls; flags: string[] } {
  const now = Date.now()
  const authority = makeAuthority(now, 'homeostat etcd')
  const day = { notBefore: new Date(now - 3_600_000), notAfter: new Date(now + 86_400_000 * 30) }
  const server = issueCertificate(authority, {
    commonName: 'etcd',
    dnsNames: ['localhost'],
    addresses: [HOST],
    usage: 'server',
    ...day,
  })
  // Towards the gateway, and of the gateway towards its member: it refuses a certificate that names a user.
  const inner = issueCertificate(authority, { commonName: '', usage: 'client', ...day })
  const client = issueCertificate(authority, { commonName: 'homeostat', usage: 'client', ...day })
  const files = {
    'ca.crt': authority.certificate,
    'server.crt': server.certificate,
    'server.key': server.key,
    'inner.crt': inner.certificate,
    'inner.key': inner.key,
    'client.crt': client.certificate,
    'client.key': client.key,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 })
  const flag = (name: string, file: string) => `--${name}=${join(folder, file)}`
  const flags = [
    '--client-cert-auth',
    flag('trusted-ca-file', 'ca.crt'),
    flag('cert-file', 'server.crt'),
    flag('key-file', 'server.key'),
    flag('client-cert-file', 'inner.crt'),
    flag('client-key-file', 'inner.key'),
  ]
  const pair = ({ certificate, key }: typeof client) => ({ ca: authority.certificate, cert: certificate, key })
  return { client: pair(client), gateway: pair(inner), flags }
}

/** Free at the same time, so that they differ. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer()
      await new Promise<void>((resolve) => server.listen(0, HOST, resolve))
      return server
    }),
  )
  const ports = servers.map((server) => {
    const address = server.address()
    return typeof address === 'object' ? (address?.port ?? 0) : 0
  })
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
