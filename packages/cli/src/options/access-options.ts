// Options of `homeostat up` about addresses and TLS. A part of the table in option-table.ts.

import { option } from './option.ts'
import { choice, duration, flag, integer, list, optional, path, repeated, text } from './value-type.ts'

export const accessOptions = {
  port: option(integer('PORT', 0, 65535), '3000', 'Port of plain HTTP; 0 picks a free one.', { env: 'PORT' }),
  host: option(
    text('ADDRESS'),
    '127.0.0.1',
    'Address to listen on. One that other machines reach, such as 0.0.0.0, has TLS alone.',
    { env: 'HOMEOSTAT_HOST' },
  ),
  secure: option(flag, undefined, 'Listens with TLS too, and names that in the kubeconfig.', {
    env: 'HOMEOSTAT_SECURE',
  }),
  'secure-port': option(integer('PORT', 0, 65535), '6443', 'Port of TLS; 0 picks a free one.', {
    env: 'HOMEOSTAT_SECURE_PORT',
  }),
  'plain-http': option(
    choice('auto', 'on', 'off'),
    'auto',
    'Plain HTTP on loopback, whose callers are administrators. Auto: on Linux, unless --host lets other machines in.',
    { env: 'HOMEOSTAT_PLAIN_HTTP' },
  ),
  'tls-san': option(
    list('NAME'),
    undefined,
    'Host name or address for the serving certificate, beside those of this machine. May be repeated.',
    { env: 'HOMEOSTAT_TLS_SAN' },
  ),
  'tls-cert-file': option(
    optional(path('FILE')),
    undefined,
    'Serving certificate of your own with its chain, PEM. Read again when it changes.',
    { env: 'HOMEOSTAT_TLS_CERT_FILE' },
  ),
  'tls-private-key-file': option(optional(path('FILE')), undefined, 'Its private key, PEM.', {
    env: 'HOMEOSTAT_TLS_PRIVATE_KEY_FILE',
  }),
  'client-ca-file': option(
    optional(path('FILE')),
    undefined,
    "Authorities of client certificates beside the server's own, PEM. Read again when it changes.",
    { env: 'HOMEOSTAT_CLIENT_CA_FILE' },
  ),
  user: option(optional(text('NAME')), undefined, 'The name of the user, as roles will have it.'),
  'user-group': option(repeated('NAME'), undefined, 'A group of the user. May be repeated.', { flag: 'group' }),
  admin: option(flag, undefined, 'An administrator, who may do everything.'),
  'valid-for': option(duration(60_000), '24h', 'How long the certificate lasts. It cannot be taken back before.', {
    flag: 'for',
  }),
  'kubeconfig-file': option(
    optional(text('FILE')),
    undefined,
    'The file to write, readable by you alone, instead of standard output.',
    { flag: 'out', short: 'o' },
  ),
  'server-address': option(
    optional(text('URL')),
    undefined,
    "The server as the user reaches it. Default: this machine's address for others, or else the server's own.",
    { flag: 'address' },
  ),
  'certificate-authority': option(
    optional(text('FILE')),
    undefined,
    "PEM that verifies the server at --address. Default: the server's own authority, or those that this machine trusts.",
  ),
  finish: option(flag, undefined, 'Ends the rotation: the old authority is no longer trusted.'),
}
