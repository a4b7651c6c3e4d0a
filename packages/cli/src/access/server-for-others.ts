// The server as other machines reach it, for credentials that are carried there: an address that is not this machine's loopback, and
// the authority by which its certificate is verified. It finds out by handshakes, and sends nothing.

import { readFileSync } from 'node:fs'
import { Fault, systemCode, usageFault } from '../fault.ts'
import type { Terminal } from '../terminal.ts'
import { type Handshake, handshake } from './handshake.ts'
import { addressesOfThisMachine } from './own-addresses.ts'

export interface ServerForOthers {
  readonly server: string
  /** PEM. Undefined where clients trust the certificate anyway, and for plain HTTP. */
  readonly ca: string | undefined
}

export interface AskedServer {
  /** As this command reaches the server. */
  readonly url: string
  /** PEM of the server's own authority. */
  readonly ca: string | undefined
  /** The name that this command verifies instead of that in `url`. */
  readonly serverName?: string | undefined
  /** --address */
  readonly address: string | undefined
  /** --certificate-authority */
  readonly authorityFile: string | undefined
}

export interface Network {
  /** Of this machine, without loopback's; the one that leads to others first. */
  addresses(): Promise<readonly string[]>
  handshake: Handshake
}

const thisMachine: Network = { addresses: addressesOfThisMachine, handshake }

/** Says on standard error which address it chose. Throws a Fault for an address that clients could not verify. */
export async function serverForOthers(
  { url, ca, serverName, address, authorityFile }: AskedServer,
  terminal: Pick<Terminal, 'error'>,
  network: Network = thisMachine,
): Promise<ServerForOthers> {
  const server = address ?? url
  if (!URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol))
    throw usageFault(`--address ${server}: write it as https://HOST:PORT`)
  if (authorityFile !== undefined) return { server, ca: readAuthority(authorityFile) }
  if (server.startsWith('http:')) return { server, ca: undefined }
  if (address !== undefined) return { server, ca: await authorityOf(server, ca, network) }
  if (!isLoopback(url)) return { server, ca }
  for (const each of await network.addresses()) {
    const candidate = withHost(url, each)
    if ((await network.handshake(candidate, ca)) !== 'verified') continue
    terminal.error(`names the server ${candidate}; choose another address with --address\n`)
    return { server: candidate, ca }
  }
  terminal.error(`${url} is reached from this machine alone; for others add --address https://THIS-MACHINE:PORT\n`)
  return { server: serverName === undefined ? url : withHost(url, serverName), ca }
}

/** A server that is not reached from here, or not yet there, is taken to have a certificate of its own authority. */
async function authorityOf(server: string, ca: string | undefined, network: Network): Promise<string | undefined> {
  if ((await network.handshake(server, ca)) !== 'refused') return ca
  if ((await network.handshake(server, undefined)) === 'verified') return undefined
  throw new Fault(
    `${server} shows a certificate that is not of the server's own authority; name the authority of yours with ` +
      '--certificate-authority FILE, or its other names with `homeostat up --tls-san NAME`',
  )
}

function readAuthority(file: string): string {
  try {
    const text = readFileSync(file, 'utf8')
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  } catch (cause) {
    throw usageFault(`--certificate-authority ${file} cannot be read (${systemCode(cause)})`)
  }
  throw usageFault(`--certificate-authority ${file} has no certificate in PEM`)
}

function isLoopback(url: string): boolean {
  return /^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname)
}

function withHost(url: string, host: string): string {
  const { protocol, port } = new URL(url)
  return `${protocol}//${host.includes(':') ? `[${host}]` : host}${port && `:${port}`}`
}
