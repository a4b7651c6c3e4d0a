// The TLS port of `homeostat up`: reads keys and files, and reads them again when they change, when certificates are to be
// renewed, or when this machine has other addresses. Loaded only with TLS.

import { readFileSync } from 'node:fs'
import { hostname, networkInterfaces } from 'node:os'
import { resolve } from 'node:path'
import type { MemberCredentials, SecureOptions } from '@homeostat/apiserver'
import { type Pki, readPki } from '@homeostat/apiserver/keys'
import { type Clock, type Log, messageOf, systemClock } from '@homeostat/base'
import { issueCertificate } from '@homeostat/pki'
import { Fault, systemCode, usageFault } from '../fault.ts'
import { baseUrl, localAddress } from './access-plan.ts'
import { isBetweenSteps } from './authority-rotation.ts'
import type { ControlPlane } from './control-plane.ts'
import { fileSignature } from './file-signature.ts'
import { writeSecureKubeconfig } from './kubeconfig.ts'
import { pkiFilesOf, pkiFolderOf, readPkiFolder } from './pki-folder.ts'
import { makeMemberCredentials, makeSecureState, type SecureState } from './secure-state.ts'
import { servingNames } from './serving-names.ts'

export interface SecureAccessOptions {
  readonly directory: string
  /** The address to listen on. */
  readonly host: string
  readonly port: number
  readonly names: readonly string[]
  readonly certificateFile: string | undefined
  readonly keyFile: string | undefined
  readonly clientAuthorityFile: string | undefined
  readonly pki: Pki
  readonly logger: Log
  /** Default: the system's. */
  readonly clock?: Clock | undefined
}

/** A change of files, names or certificates is seen within this time. */
const LOOK_EVERY_MS = 1000

export class SecureAccess {
  readonly #options: SecureAccessOptions
  readonly #clock: Clock
  #authorities: Pki
  #state: SecureState
  #seen: string

  /** Throws a Fault for files that cannot be used. */
  constructor(options: SecureAccessOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    if ((options.certificateFile === undefined) !== (options.keyFile === undefined))
      throw usageFault('--tls-cert-file and --tls-private-key-file go together; give both or neither')
    this.#authorities = options.pki
    this.#seen = this.#look()
    this.#state = this.#make()
  }

  /** For the server. */
  get listen(): SecureOptions {
    const { host, port } = this.#options
    return { host, port, identity: this.#state.identity }
  }

  /** The server's keys, with the authorities as they are now. */
  get pki(): Pki {
    return Object.create(this.#options.pki, {
      caCertificate: { get: () => this.#state.caBundle, enumerable: true },
    }) as Pki
  }

  /** What this server proves itself with to the others of its store: a certificate for each connection. */
  readonly memberCredentials = (): MemberCredentials => {
    const { issuingAuthority, caCertificate } = this.#authorities
    return makeMemberCredentials({ issuingAuthority, caCertificate }, this.#clock.now(), issueCertificate)
  }

  /** Writes the administrator's kubeconfig and returns its path. */
  writeKubeconfig(port: number): string {
    const { directory, host } = this.#options
    const { caBundle, administrator, serverName } = this.#state
    const server = baseUrl(localAddress(host), port, 'https')
    return writeSecureKubeconfig(directory, { server, caBundle, serverName, ...administrator })
  }

  /** Follows files and time until the signal aborts. It keeps no process alive. */
  follow(plane: Pick<ControlPlane, 'secure' | 'publishAuthorities'>, signal: AbortSignal): void {
    const timer = setInterval(() => this.check(plane), LOOK_EVERY_MS)
    timer.unref()
    signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  }

  /** Looks once. What cannot be used is logged, and what was there stays. */
  check({ secure, publishAuthorities }: Pick<ControlPlane, 'secure' | 'publishAuthorities'>): void {
    const seen = this.#look()
    if (secure === undefined || (seen === this.#seen && this.#clock.now() < this.#state.renewAt)) return
    const { logger, directory } = this.#options
    // A rotation is being written; the next look finds it whole.
    if (isBetweenSteps(pkiFolderOf(directory))) return
    this.#seen = seen
    const before = { authorities: this.#authorities, state: this.#state }
    try {
      this.#authorities = readPkiFolder(directory, readPki)
      this.#state = this.#make()
      secure.update(this.#state.identity)
      publishAuthorities(this.#state.caBundle)
      this.writeKubeconfig(secure.address.port)
      logger.info({}, 'certificates were read again, and are used from now on')
    } catch (error) {
      this.#authorities = before.authorities
      this.#state = before.state
      logger.error({ reason: messageOf(error) }, 'changed certificates cannot be used; the former ones stay')
    }
  }

  #make(): SecureState {
    const { certificateFile, keyFile, clientAuthorityFile } = this.#options
    const own =
      certificateFile === undefined || keyFile === undefined
        ? undefined
        : { certificate: readPem(certificateFile, '--tls-cert-file'), key: readPem(keyFile, '--tls-private-key-file') }
    const clientAuthorities = clientAuthorityFile === undefined ? '' : readPem(clientAuthorityFile, '--client-ca-file')
    const names = this.#names()
    return makeSecureState({
      pki: this.#authorities,
      names,
      own,
      clientAuthorities,
      now: this.#clock.now(),
      issueCertificate,
    })
  }

  #names() {
    const { host, names } = this.#options
    return servingNames(host, names, { hostname: hostname(), interfaces: networkInterfaces() })
  }

  #look(): string {
    const { directory, certificateFile, keyFile, clientAuthorityFile } = this.#options
    const given = [certificateFile, keyFile, clientAuthorityFile].filter((file) => file !== undefined)
    const { dnsNames, addresses } = this.#names()
    return [fileSignature([...pkiFilesOf(directory), ...given]), ...dnsNames, ...addresses].join('\n')
  }
}

function readPem(file: string, flag: string): string {
  try {
    const text = readFileSync(resolve(file), 'utf8')
    if (!text.includes('-----BEGIN ')) throw new Error('it holds no PEM')
    return text.endsWith('\n') ? text : `${text}\n`
  } catch (cause) {
    throw new Fault(`${flag} ${file} cannot be used: ${systemCode(cause) ?? messageOf(cause)}`, { cause })
  }
}
