// The options of the etcd store and their defaults.

export interface EtcdTls {
  /** Certificates that the members' certificates must lead to, PEM. Default: those of the system. */
  readonly ca?: string | Buffer
  /** This client's certificate and its key, PEM. */
  readonly cert?: string | Buffer
  readonly key?: string | Buffer
}

export interface EtcdStoreOptions {
  /** The members' client addresses, such as `https://a:2379`. All https, or all http. */
  readonly endpoints: readonly string[]
  readonly tls?: EtcdTls
  readonly user?: string
  readonly password?: string
  /** Under which all keys lie, so that a cluster can serve others too. Default `/homeostat`. */
  readonly prefix?: string
  /** How long connecting to one member may take. Default 2 seconds. */
  readonly dialTimeoutMs?: number
  /** How long one question to a member may take, before another is asked. Default 5 seconds. */
  readonly requestTimeoutMs?: number
  /** How long an answer that may or may not have been applied is settled, before it is `unknown`. Default 10 seconds. */
  readonly settleTimeoutMs?: number
  /** The members' limit of a request (`--max-request-bytes`). Default 1.5 MiB, as theirs. */
  readonly maxRequestBytes?: number
  /** Writes that may be waiting or in flight; more fail as overloaded. Default 4096. */
  readonly maxPendingWrites?: number
  /** `changes` and `range` reach back at least this long. Default 5 minutes. */
  readonly horizonMs?: number
  /** ... and at least so many changes. Default 100,000. */
  readonly horizonChanges?: number
  /** How often one of the servers considers raising the horizon. Default 5 minutes. */
  readonly compactEveryMs?: number
  /** Older generations of a key that `history` keeps below the horizon; minor changes do not count. Default 10. */
  readonly historyPerKey?: number
  /** How long it keeps them. Default 30 days. */
  readonly historyMs?: number
  /** How much it keeps in all; the kinds that have most give first. Default 256 MiB. */
  readonly historyBytes?: number
  /** How much it keeps of each kind. Default 64 MiB. */
  readonly historyKindBytes?: number
  /** Opens it also when its objects were moved to another store, as `markStoreMoved` says. Default false. */
  readonly acceptMoved?: boolean
  /** Called with each warning for the operator. Default none. */
  readonly onWarning?: (warning: string) => void
}

/** How the store reads its options. Those of the connection go to the client as they are. */
export type EtcdStoreSettings = Required<
  Omit<EtcdStoreOptions, 'endpoints' | 'tls' | 'user' | 'password' | 'acceptMoved'>
>

export function withDefaults(options: EtcdStoreOptions): EtcdStoreSettings {
  return {
    prefix: options.prefix ?? '/homeostat',
    dialTimeoutMs: options.dialTimeoutMs ?? 2000,
    requestTimeoutMs: options.requestTimeoutMs ?? 5000,
    settleTimeoutMs: options.settleTimeoutMs ?? 10_000,
    maxRequestBytes: options.maxRequestBytes ?? 3 << 19,
    maxPendingWrites: options.maxPendingWrites ?? 4096,
    horizonMs: options.horizonMs ?? 5 * 60 * 1000,
    horizonChanges: options.horizonChanges ?? 100_000,
    compactEveryMs: options.compactEveryMs ?? 5 * 60 * 1000,
    historyPerKey: options.historyPerKey ?? 10,
    historyMs: options.historyMs ?? 30 * 24 * 60 * 60 * 1000,
    historyBytes: options.historyBytes ?? 256 << 20,
    historyKindBytes: options.historyKindBytes ?? 64 << 20,
    onWarning: options.onWarning ?? (() => {}),
  }
}
