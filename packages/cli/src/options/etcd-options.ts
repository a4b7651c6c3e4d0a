// Options of the store in etcd. A part of the table in option-table.ts; server/etcd-settings.ts reads the files they name.

import { option } from './option.ts'
import { choice, list, optional, path, size, text } from './value-type.ts'

export const etcdOptions = {
  etcd: option(
    list('URL'),
    undefined,
    'Client addresses of the members for --store etcd, such as https://a:2379,https://b:2379.',
    { env: 'HOMEOSTAT_ETCD' },
  ),
  'etcd-ca-file': option(
    optional(path('FILE')),
    undefined,
    "Authority of the members' certificates, PEM. Default: those that Node trusts.",
    { env: 'HOMEOSTAT_ETCD_CA_FILE' },
  ),
  'etcd-cert-file': option(
    optional(path('FILE')),
    undefined,
    'Certificate by which the members know this server, PEM.',
    { env: 'HOMEOSTAT_ETCD_CERT_FILE' },
  ),
  'etcd-key-file': option(optional(path('FILE')), undefined, 'Its private key, PEM.', {
    env: 'HOMEOSTAT_ETCD_KEY_FILE',
  }),
  'etcd-user': option(optional(text('NAME')), undefined, 'User of etcd; it needs the role root, for compactions.', {
    env: 'HOMEOSTAT_ETCD_USER',
  }),
  'etcd-password-file': option(
    optional(path('FILE')),
    undefined,
    'File with its password. Default: the variable HOMEOSTAT_ETCD_PASSWORD.',
    { env: 'HOMEOSTAT_ETCD_PASSWORD_FILE' },
  ),
  'etcd-prefix': option(
    text('PREFIX'),
    '/homeostat',
    'Under which all keys lie in etcd. Servers with the same prefix are one.',
    { env: 'HOMEOSTAT_ETCD_PREFIX' },
  ),
  'etcd-max-request': option(
    size(2 ** 16, 2 ** 28),
    '1536KiB',
    "The members' limit of a request (their --max-request-bytes); larger objects are refused with 413.",
    { env: 'HOMEOSTAT_ETCD_MAX_REQUEST' },
  ),
  'migrate-to': option(
    optional(choice('etcd', 'sqlite')),
    undefined,
    'Where all objects go: from the data directory to etcd, or from etcd into the data directory.',
    { flag: 'to' },
  ),
  'peer-address': option(
    optional(text('URL')),
    undefined,
    "https URL by which other servers of the store reach this one. Default: its TLS port, by --host or the machine's name.",
    { env: 'HOMEOSTAT_PEER_ADDRESS' },
  ),
}
