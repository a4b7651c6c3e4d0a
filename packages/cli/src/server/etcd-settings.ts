// What the options of etcd say, as the store takes it: reads the files that they name, and the password. `up` and `migrate` call
// it. Loaded only with --store etcd.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import { messageOf } from '@homeostat/base'
import type { EtcdStoreOptions } from '@homeostat/store'
import { Fault, systemCode, usageFault } from '../fault.ts'
import type { etcdOptionNames } from '../options/option-groups.ts'
import type { Values } from '../options/option-table.ts'
import type { Terminal } from '../terminal.ts'
import { readSecretFile, readSecretLine } from './secret-file.ts'

type EtcdValues = Values<(typeof etcdOptionNames)[number]>
type EtcdSettings = Pick<EtcdStoreOptions, 'endpoints' | 'tls' | 'user' | 'password' | 'prefix' | 'maxRequestBytes'>

/** The password is not an option: others can read a command line, and --print-config prints all options. */
const PASSWORD = 'HOMEOSTAT_ETCD_PASSWORD'

/** Throws a Fault that names the flag to mend. */
export function etcdSettings(values: EtcdValues, env: Terminal['env']): EtcdSettings {
  const { etcd: endpoints, 'etcd-prefix': prefix, 'etcd-max-request': maxRequestBytes } = values
  if (endpoints.length === 0)
    throw usageFault('--store etcd needs the addresses of its members, such as --etcd https://a:2379,https://b:2379')
  const schemes = new Set(endpoints.map(schemeOf))
  if (schemes.size > 1) throw usageFault(`--etcd ${endpoints.join(',')}: all members are https, or all are http`)
  if (!/^\/[\x21-\x7e]*[^/]$/.test(prefix))
    throw usageFault(`--etcd-prefix ${prefix}: it begins with / and does not end in it, such as /homeostat`)
  const tls = tlsOf(values, schemes.has('https:'))
  return { endpoints, prefix, maxRequestBytes, ...(tls && { tls }), ...credentialsOf(values, env) }
}

function schemeOf(endpoint: string): string {
  const url = URL.parse(endpoint)
  const isRight = (url?.protocol === 'http:' || url?.protocol === 'https:') && url.pathname === '/' && !url.search
  // A password would be shown wherever the address is.
  if (url === null || !isRight || url.username !== '' || url.password !== '')
    throw usageFault(
      `--etcd ${url === null || url.password === '' ? endpoint : '(with a password)'}: an address of a member looks like https://a.example:2379`,
    )
  return url.protocol
}

function tlsOf(values: EtcdValues, isSecure: boolean): EtcdStoreOptions['tls'] {
  const { 'etcd-ca-file': caFile, 'etcd-cert-file': certFile, 'etcd-key-file': keyFile } = values
  const given = [caFile, certFile, keyFile].some((file) => file !== undefined)
  if (!given) return undefined
  if (!isSecure) throw usageFault('--etcd-ca-file, --etcd-cert-file and --etcd-key-file are for members at https')
  if ((certFile === undefined) !== (keyFile === undefined))
    throw usageFault('--etcd-cert-file and --etcd-key-file go together; give both or neither')
  const tls = {
    ...(caFile !== undefined && { ca: readPem(caFile, '--etcd-ca-file') }),
    ...(certFile !== undefined && { cert: readPem(certFile, '--etcd-cert-file') }),
    ...(keyFile !== undefined && { key: readKey(keyFile) }),
  }
  try {
    createSecureContext(tls)
  } catch (cause) {
    throw new Fault(`--etcd-cert-file ${certFile} and --etcd-key-file ${keyFile}: ${messageOf(cause)}`, { cause })
  }
  return tls
}

function credentialsOf(values: EtcdValues, env: Terminal['env']): Pick<EtcdStoreOptions, 'user' | 'password'> {
  const { 'etcd-user': user, 'etcd-password-file': file } = values
  if (user === undefined) {
    if (file !== undefined) throw usageFault('--etcd-password-file goes with --etcd-user')
    return {}
  }
  const password = file === undefined ? env[PASSWORD] : readSecretLine(file, '--etcd-password-file', { group: true })
  if (!password)
    throw usageFault(`--etcd-user ${user} needs a password: in the file of --etcd-password-file, or in ${PASSWORD}`)
  return { user, password }
}

function readPem(file: string, flag: string): string {
  try {
    return asPem(readFileSync(resolve(file), 'utf8'))
  } catch (cause) {
    throw new Fault(`${flag} ${file} cannot be used: ${systemCode(cause) ?? messageOf(cause)}`, { cause })
  }
}

function readKey(file: string): string {
  const text = readSecretFile(resolve(file), '--etcd-key-file', { group: true })
  try {
    return asPem(text)
  } catch (cause) {
    throw new Fault(`--etcd-key-file ${file} cannot be used: ${messageOf(cause)}`, { cause })
  }
}

function asPem(text: string): string {
  if (!text.includes('-----BEGIN ')) throw new Error('it holds no PEM')
  return text
}
