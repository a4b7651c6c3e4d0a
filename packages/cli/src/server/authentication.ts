// Reads which credentials a server accepts from the flags of `homeostat up` and the files that they name, and again when a file
// changes. A file that is wrong at the start ends the command; one that becomes wrong later is logged, and changes nothing.

import { readFileSync, statSync } from 'node:fs'
import {
  type AuthenticationSettings,
  issuerOfFlags,
  readAuthenticationConfiguration,
  readTokenFile,
  type StaticToken,
} from '@homeostat/apiserver'
import { type Clock, type Log, messageOf } from '@homeostat/base'
import { Fault, systemCode, usageFault } from '../fault.ts'
import type { authenticationOptionNames } from '../options/option-groups.ts'
import type { Values } from '../options/option-table.ts'
import { followFiles } from './follow-files.ts'

export type AuthenticationValues = Values<(typeof authenticationOptionNames)[number]>

const MAX_BYTES = 1 << 20

/** Throws a Fault that names the file or the flag. */
export async function readAuthentication(values: AuthenticationValues): Promise<AuthenticationSettings> {
  checkFlags(values)
  const config = values['authentication-config']
  const tokens = values['token-auth-file']
  const { issuers = [], anonymous } = config === undefined ? {} : await readConfiguration(config)
  const ofFlags = flagIssuer(values)
  return {
    ...(tokens !== undefined && { staticTokens: readTokens(tokens) }),
    issuers: ofFlags === undefined ? issuers : [ofFlags],
    ...(anonymous !== undefined && { anonymous }),
  }
}

/** Hands on the settings whenever they change, until the signal aborts. */
export function followAuthentication(
  values: AuthenticationValues,
  change: (settings: AuthenticationSettings) => void,
  logger: Log,
  signal: AbortSignal,
  clock?: Clock,
): void {
  const files = [values['authentication-config'], values['token-auth-file'], values['oidc-ca-file']]
  const named = files.filter((file) => file !== undefined)
  const reload = async () => {
    try {
      change(await readAuthentication(values))
      logger.info({ files: named }, 'the settings of authentication were read again')
    } catch (error) {
      logger.error({ reason: messageOf(error) }, 'the settings of authentication are wrong; the former ones stay')
    }
  }
  followFiles(named, () => void reload(), signal, clock)
}

function checkFlags(values: AuthenticationValues): void {
  const issuer = values['oidc-issuer-url']
  const client = values['oidc-client-id']
  if (issuer === undefined) {
    const lonely = OIDC.find((name) => values[name] !== undefined)
    if (lonely !== undefined) throw usageFault(`--${lonely} needs --oidc-issuer-url`)
    return
  }
  if (client === undefined) throw usageFault('--oidc-issuer-url needs --oidc-client-id, the audience of its tokens')
  if (values['authentication-config'] !== undefined)
    throw usageFault('use either --authentication-config or --oidc-issuer-url; the first can hold several issuers')
}

const OIDC = [
  'oidc-client-id',
  'oidc-username-claim',
  'oidc-username-prefix',
  'oidc-groups-claim',
  'oidc-groups-prefix',
  'oidc-ca-file',
] as const

function flagIssuer(values: AuthenticationValues) {
  const issuerUrl = values['oidc-issuer-url']
  const clientId = values['oidc-client-id']
  if (issuerUrl === undefined || clientId === undefined) return undefined
  const ca = values['oidc-ca-file']
  try {
    return issuerOfFlags({
      issuerUrl,
      clientId,
      usernameClaim: values['oidc-username-claim'],
      usernamePrefix: values['oidc-username-prefix'],
      groupsClaim: values['oidc-groups-claim'],
      groupsPrefix: values['oidc-groups-prefix'],
      certificateAuthority: ca === undefined ? undefined : readText(ca, '--oidc-ca-file'),
    })
  } catch (cause) {
    if (cause instanceof Fault) throw cause
    throw usageFault(`--oidc-issuer-url: ${messageOf(cause)}`)
  }
}

async function readConfiguration(file: string): Promise<ReturnType<typeof readAuthenticationConfiguration>> {
  const flag = '--authentication-config'
  const text = readText(file, flag)
  // A large package that only this flag needs.
  const { parse } = await import('yaml')
  try {
    return readAuthenticationConfiguration(parse(text, { prettyErrors: false }))
  } catch (cause) {
    throw new Fault(`${flag} ${file}: ${messageOf(cause)}`, { cause })
  }
}

function readTokens(file: string): StaticToken[] {
  const flag = '--token-auth-file'
  const text = readText(file, flag)
  // Whoever can read the file can be any of its users.
  if ((statSync(file).mode & 0o077) !== 0)
    throw new Fault(`${flag} ${file}: others than its owner may read or write it; run chmod 600 ${file}`)
  try {
    return readTokenFile(text)
  } catch (cause) {
    throw new Fault(`${flag} ${file}: ${messageOf(cause)}`, { cause })
  }
}

function readText(file: string, flag: string): string {
  try {
    const { mode, size } = statSync(file)
    // It decides who is let in.
    if ((mode & 0o002) !== 0) throw new Error(`everybody may write to it; run chmod o-w ${file}`)
    if (size > MAX_BYTES) throw new Error(`it has ${size} bytes, at most ${MAX_BYTES} are read`)
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const problem = systemCode(cause) === 'ENOENT' ? 'there is no such file' : messageOf(cause)
    throw new Fault(`${flag} ${file}: ${problem}`, { cause })
  }
}
