// `homeostat kubeconfig --user NAME`: writes a kubeconfig with a client certificate for somebody else. It works on the data
// directory alone, so it is also the way back in for an administrator who lost every credential.

import { resolve } from 'node:path'
import { readPki } from '@homeostat/apiserver/keys'
import { systemClock } from '@homeostat/base'
import { issueCertificate } from '@homeostat/pki'
import { type ServerForOthers, serverForOthers } from '../access/server-for-others.ts'
import { Fault, systemCode, usageFault } from '../fault.ts'
import type { kubeconfigOptions } from '../options/option-groups.ts'
import type { Values } from '../options/option-table.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { writeDurable } from '../server/durable-file.ts'
import { secureKubeconfig } from '../server/kubeconfig.ts'
import { ownServer } from '../server/own-server.ts'
import { readPkiFolder } from '../server/pki-folder.ts'
import type { Terminal } from '../terminal.ts'
import { noOperands } from './operands.ts'

type KubeconfigValues = Values<(typeof kubeconfigOptions)[number]>

const ADMINISTRATOR = { user: 'homeostat-admin', groups: ['system:masters'] }
const LONGEST_MS = 10 * 365 * 24 * 3_600_000
/** For clients whose clocks are behind. */
const EARLIER_MS = 3_600_000

export async function kubeconfig(
  values: KubeconfigValues,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  noOperands(operands)
  const { user, groups } = personOf(values)
  if (values['valid-for'] > LONGEST_MS)
    throw usageFault('--for is at most 87600h (ten years), which the authority itself lasts')
  const directory = resolve(values['data-dir'])
  const pki = readPkiFolder(directory, readPki)
  const { server, ca, serverName } = await serverOf(directory, values, pki.caCertificate, terminal)
  const now = systemClock.now()
  const issued = issueCertificate(pki.issuingAuthority, {
    commonName: user,
    organizations: groups,
    usage: 'client',
    notBefore: new Date(now - EARLIER_MS),
    notAfter: new Date(now + values['valid-for']),
  })
  const text = secureKubeconfig({ server, serverName, caBundle: ca, ...issued })
  const file = values['kubeconfig-file']
  if (file === undefined || file === '-') {
    terminal.out(text)
    return 0
  }
  write(file, text)
  terminal.out(`${file} lets ${user} in until ${new Date(now + values['valid-for']).toISOString()}, over ${server}\n`)
  if (!values.admin)
    terminal.out(
      `what ${user} may do is up to roles, for example:
  kubectl create rolebinding ${bindingName(user)} --clusterrole view --user ${quoted(user)} --namespace default
`,
    )
  return 0
}

function personOf({ user, 'user-group': groups, admin }: KubeconfigValues): {
  user: string
  groups: readonly string[]
} {
  if (admin) {
    if (user !== undefined || groups.length > 0)
      throw usageFault('--admin names its user itself; leave out --user and --group')
    return ADMINISTRATOR
  }
  if (!user) throw usageFault('name the user: homeostat kubeconfig --user NAME, or --admin for an administrator')
  for (const name of [user, ...groups]) {
    if (name === '' || hasControl(name) || Buffer.byteLength(name) > MAX_NAME)
      throw usageFault(
        `${escapeControls(name)} is no name of a user or group: 1 to ${MAX_NAME} bytes without control characters`,
      )
    if (name.startsWith('system:'))
      throw usageFault(`${name}: names that begin with system: belong to the server; --admin makes an administrator`)
  }
  return { user, groups }
}

/** The upper bound of X.509 for a common name. */
const MAX_NAME = 64

function hasControl(text: string): boolean {
  return /\p{Cc}/u.test(text)
}

interface Address extends ServerForOthers {
  readonly serverName: string | undefined
}

/** An administrator who lost every credential uses the new one on this machine; users are elsewhere. */
async function serverOf(
  directory: string,
  { admin, 'server-address': address, 'certificate-authority': authorityFile }: KubeconfigValues,
  ca: string,
  terminal: Terminal,
): Promise<Address> {
  if (address === undefined) {
    const own = ownServer(directory)
    if (admin) return { ...own, ca }
    const found = await serverForOthers({ url: own.server, ca, address, authorityFile }, terminal)
    return found.server === own.server ? { ...own, ca } : { ...found, serverName: undefined }
  }
  if (!URL.canParse(address) || new URL(address).protocol !== 'https:')
    throw usageFault(`--address ${address} is no https URL: a certificate is shown over TLS alone`)
  const found = await serverForOthers({ url: address, ca, address, authorityFile }, terminal)
  return { ...found, serverName: undefined }
}

function write(file: string, text: string): void {
  try {
    writeDurable(file, text)
  } catch (cause) {
    if (systemCode(cause) === 'EEXIST') throw new Fault(`${file} exists already; a credential never overwrites a file`)
    throw new Fault(`${file} cannot be written (${systemCode(cause) ?? cause})`, { cause })
  }
}

function bindingName(user: string): string {
  const name = user
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  return `${name || 'user'}-view`
}

function quoted(text: string): string {
  return /^[\w.@:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
