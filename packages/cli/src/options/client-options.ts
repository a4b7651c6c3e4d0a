// Options of the verbs that talk to a server: its address, selection and output, and the fields of a Process or an
// Executor. A part of the table in option-table.ts.

import { option } from './option.ts'
import { choice, duration, flag, integer, list, optional, repeated, seconds, text } from './value-type.ts'

const serverOptions = {
  server: option(optional(text('URL')), undefined, 'The server to ask.', { env: 'HOMEOSTAT_SERVER' }),
  kubeconfig: option(
    optional(text('FILE')),
    undefined,
    'The kubeconfig that leads to the server, instead of the one that clients find.',
    { env: 'KUBECONFIG' },
  ),
  context: option(optional(text('NAME')), undefined, 'The context of the kubeconfig. Default: its current one.'),
  namespace: option(
    optional(text('NAME')),
    undefined,
    'The namespace, which is a colony. Default: that of the kubeconfig, else default.',
    { short: 'n', env: 'COLONIES_COLONY_NAME' },
  ),
  'all-namespaces': option(flag, undefined, 'Of all namespaces.', { short: 'A' }),
}

const viewOptions = {
  output: option(
    optional(choice('json', 'yaml', 'wide', 'name')),
    undefined,
    'How to show it. Default: a table, or a few lines.',
    { short: 'o' },
  ),
  watch: option(flag, undefined, 'Goes on showing what changes.', { short: 'w' }),
  selector: option(optional(text('LABELS')), undefined, 'Only those with these labels, e.g. app=web,tier!=db.', {
    short: 'l',
  }),
  file: option(optional(text('FILE')), undefined, 'JSON or YAML, also of several documents; - reads standard input.', {
    short: 'f',
  }),
  follow: option(flag, undefined, 'Goes on until its end.', { short: 'f' }),
  wait: option(flag, undefined, 'Waits until it has happened.'),
  timeout: option(optional(duration(0)), undefined, 'Waits no longer than this. Default: as long as it takes.'),
  force: option(flag, undefined, 'Tells the handler to act even if nothing differs.'),
  cascade: option(flag, undefined, 'Deletes its instances first.'),
  tail: option(optional(integer('LINES', -1, 1e9)), undefined, 'Only the last lines; -1 is all.'),
  since: option(optional(duration(0)), undefined, 'Only what was written in the time before now.'),
  timestamps: option(flag, undefined, 'Each line with its time.'),
}

const processOptions = {
  type: option(optional(text('TYPE')), undefined, 'The type of the executor.'),
  arg: option(repeated('VALUE'), undefined, 'The next argument: JSON, or else a text. May be repeated.'),
  kwarg: option(repeated('NAME=VALUE'), undefined, 'A named argument: JSON, or else a text. May be repeated.'),
  env: option(repeated('NAME=TEXT'), undefined, 'A variable for the function. May be repeated.'),
  name: option(optional(text('NAME')), undefined, 'Its name, which no other may have. Default: one is made.'),
  label: option(optional(text('TEXT')), undefined, 'For people who look at the queue.'),
  priority: option(
    optional(integer('NUMBER', -50_000, 50_000)),
    undefined,
    'Higher goes first; a step counts as a day of waiting.',
  ),
  'max-wait': option(optional(seconds()), undefined, 'Fails when nobody has taken it by then.'),
  'max-exec': option(optional(seconds()), undefined, 'An attempt that takes longer counts as failed.'),
  'max-retries': option(optional(integer('NUMBER', -1, 1e9)), undefined, 'Tries after failures; -1 is no limit.'),
  location: option(optional(text('PLACE')), undefined, 'Where the executor is.'),
  executor: option(list('NAME'), undefined, 'Only these executors. May be repeated.'),
  'concurrency-key': option(optional(text('KEY')), undefined, 'Two with the same key never run at once.'),
  ttl: option(optional(seconds()), undefined, 'Deleted so long after its end. Default: kept.'),
}

const executorOptions = {
  concurrency: option(integer('NUMBER', 1, 1000), '1', 'Processes at the same time.'),
  module: option(optional(text('FILE')), undefined, 'A module whose default export has the functions by name.'),
  'allow-commands': option(flag, undefined, 'Adds the function execute, which runs any program as you.'),
}

const credentialOptions = {
  'credential-file': option(
    optional(text('FILE')),
    undefined,
    'The file for the credential, readable by you alone. Default: NAME.kubeconfig; - is standard output.',
    { flag: 'out', short: 'o' },
  ),
  address: option(
    optional(text('URL')),
    undefined,
    "The server as executors reach it. Default: the address that this command uses, or this machine's for others.",
  ),
  children: option(
    list('RESOURCE'),
    undefined,
    'Kinds of children that it may report, such as configmaps or deployments.apps. May be repeated.',
  ),
  'token-for': option(duration(600_000), '24h', 'How long its token lasts; executors renew theirs before that.', {
    flag: 'for',
  }),
  'bootstrap-for': option(duration(1000), '1h', 'How long executors may join.', { flag: 'for' }),
  uses: option(integer('NUMBER', 1, 10_000), '1', 'How many executors may join.'),
  approval: option(flag, undefined, 'An executor that joined waits until `homeostat executor approve` lets it in.'),
  join: option(
    optional(text('CODE')),
    undefined,
    'Joins with this code of `homeostat executor bootstrap-token` first, unless the credential is there.',
    { env: 'HOMEOSTAT_JOIN' },
  ),
}

export const clientOptions = {
  ...serverOptions,
  ...viewOptions,
  ...processOptions,
  ...executorOptions,
  ...credentialOptions,
}
