// Every flag and environment variable of the command, in one table: parsing, --help and docs/operating.md derive
// from it. A verb names the rows it understands.

import { accessOptions } from './access-options.ts'
import { authenticationOptions } from './authentication-options.ts'
import { clientOptions } from './client-options.ts'
import { dashboardOptions } from './dashboard-options.ts'
import { devOptions } from './dev-options.ts'
import { etcdOptions } from './etcd-options.ts'
import { loginOptions } from './login-options.ts'
import { objectOptions } from './object-options.ts'
import { type Option, option } from './option.ts'
import { serverOptions } from './server-options.ts'
import { synthOptions } from './synth-options.ts'
import { choice, duration, flag, integer, list, modules, optional, origins, path, size, text } from './value-type.ts'
import { webhookOptions } from './webhook-options.ts'

export const optionTable = {
  ...accessOptions,
  'data-dir': option(path('FOLDER'), '.homeostat', 'Where objects and the kubeconfig are kept.', {
    env: 'HOMEOSTAT_DATA',
  }),
  store: option(
    choice('sqlite', 'etcd', 'memory'),
    'sqlite',
    'Where objects are: in the data directory, in etcd for several servers (docs/scaling.md), or in memory until the end.',
    { env: 'HOMEOSTAT_STORE' },
  ),
  ...etcdOptions,
  with: option(modules('MODULE'), undefined, 'Add-on to load: a file, a folder or a package. May be repeated.', {
    env: 'HOMEOSTAT_WITH',
  }),
  runtime: option(
    list('NAME'),
    'simulated',
    'What runs Pods: simulated, process, docker or none. Several by commas; the first is the default.',
    { env: 'HOMEOSTAT_RUNTIME' },
  ),
  'local-users': option(
    list('own|all|NAME|@GROUP'),
    'own',
    'Users of this machine who may use the server, beside its own and root. Several by commas; telling them apart needs Linux.',
    { env: 'HOMEOSTAT_LOCAL_USERS' },
  ),
  'allow-origin': option(
    origins(),
    undefined,
    'Origin whose web pages may use the server, such as http://localhost:5173. May be repeated.',
    { env: 'HOMEOSTAT_ALLOW_ORIGIN' },
  ),
  ...authenticationOptions,
  ...loginOptions,
  ...dashboardOptions,
  'event-ttl': option(duration(1000), '1h', 'How long an Event is kept after it was last written.', {
    env: 'HOMEOSTAT_EVENT_TTL',
  }),
  'events-limit': option(integer('NUMBER', 1, 100_000), '1000', 'The most changes that GET /events shows.', {
    env: 'HOMEOSTAT_EVENTS_LIMIT',
  }),
  'max-requests-inflight': option(
    integer('NUMBER', 1, 1e6),
    '1000',
    'Reads that are answered at once; more wait, then get 429.',
    { env: 'HOMEOSTAT_MAX_REQUESTS_INFLIGHT' },
  ),
  'max-mutating-requests-inflight': option(
    integer('NUMBER', 1, 1e6),
    '1000',
    'Writes that are worked on at once; more wait, then get 429.',
    { env: 'HOMEOSTAT_MAX_MUTATING_REQUESTS_INFLIGHT' },
  ),
  'max-connections': option(integer('NUMBER', 1, 1e6), '20000', 'Connections at once; more are closed.', {
    env: 'HOMEOSTAT_MAX_CONNECTIONS',
  }),
  'log-level': option(
    choice('trace', 'debug', 'info', 'warn', 'error', 'silent'),
    'info',
    'Least serious entry to log.',
    { env: 'HOMEOSTAT_LOG_LEVEL' },
  ),
  'log-format': option(choice('auto', 'json', 'pretty'), 'auto', 'Format of the log; auto is pretty on a terminal.', {
    env: 'HOMEOSTAT_LOG_FORMAT',
  }),
  'shutdown-delay': option(
    duration(0),
    '0s',
    'How long /readyz fails at the end while everything is still served, for a balancer to notice.',
    { env: 'HOMEOSTAT_SHUTDOWN_DELAY' },
  ),
  'shutdown-timeout': option(duration(0), '10s', 'How long requests under way may take to finish at the end.', {
    env: 'HOMEOSTAT_SHUTDOWN_TIMEOUT',
  }),
  horizon: option(duration(1000), '5m', 'Watches and lists may go back at least this far.', {
    env: 'HOMEOSTAT_HORIZON',
  }),
  'horizon-changes': option(integer('NUMBER', 0, 1e9), '100000', 'And at least this many changes.', {
    env: 'HOMEOSTAT_HORIZON_CHANGES',
  }),
  'history-versions': option(integer('NUMBER', 0, 1000), '10', 'Older generations kept of each object.', {
    env: 'HOMEOSTAT_HISTORY_VERSIONS',
  }),
  'history-age': option(duration(0), '720h', 'How long they are kept.', { env: 'HOMEOSTAT_HISTORY_AGE' }),
  'history-size': option(size(0, 2 ** 40), '256MiB', 'How much they may take in all.', {
    env: 'HOMEOSTAT_HISTORY_SIZE',
  }),
  'history-kind-size': option(size(0, 2 ** 40), '64MiB', 'How much those of one kind may take.', {
    env: 'HOMEOSTAT_HISTORY_KIND_SIZE',
  }),
  'on-loss': option(
    choice('refuse', 'continue'),
    'refuse',
    'What to do when acknowledged writes are missing from the data directory or from etcd: refuse to start, or go on without them.',
    { env: 'HOMEOSTAT_ON_LOSS' },
  ),
  'max-pending-writes': option(
    integer('NUMBER', 1, 1e6),
    '4096',
    'Writes that may wait for the disk; more are refused with 429.',
    { env: 'HOMEOSTAT_MAX_PENDING_WRITES' },
  ),
  config: option(
    optional(text('FILE')),
    undefined,
    'YAML or JSON with these options by their names, such as port: 3000. Paths in it are relative to it.',
    { env: 'HOMEOSTAT_CONFIG' },
  ),
  'print-config': option(
    flag,
    undefined,
    'Prints the configuration as such a file, with the source of each value, and ends.',
  ),
  'with-keys': option(
    flag,
    undefined,
    'Adds the keys of the server, so that tokens and certificates work after a restore. Protect the file like a key.',
  ),
  group: option(
    list('GROUP'),
    undefined,
    'What to describe: ex.io, ex.io/v1, core. May be repeated. Without it, all that the client does not know.',
    { env: 'HOMEOSTAT_TYPES_GROUP' },
  ),
  out: option(optional(text('FILE')), undefined, 'The file to write, instead of standard output.', {
    env: 'HOMEOSTAT_TYPES_OUT',
  }),
  ...clientOptions,
  ...devOptions,
  ...objectOptions,
  ...serverOptions,
  ...synthOptions,
  ...webhookOptions,
} as const satisfies Record<string, Option<unknown>>

export type OptionName = keyof typeof optionTable

/** What stands after the two dashes. */
export function flagName(name: OptionName): string {
  const { flag }: Option<unknown> = optionTable[name]
  return flag ?? name
}

/** The values of the named options. One without a default may be absent. */
export type Values<N extends OptionName> = {
  readonly [K in N]: (typeof optionTable)[K] extends Option<infer T> ? T : never
}
