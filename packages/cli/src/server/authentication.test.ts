import { chmodSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AuthenticationSettings } from '@homeostat/apiserver'
import { ManualClock, silentLog } from '@homeostat/base'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, onTestFinished, test } from 'vitest'
import { type AuthenticationValues, followAuthentication, readAuthentication } from './authentication.ts'

const NONE: AuthenticationValues = {
  'authentication-config': undefined,
  'token-auth-file': undefined,
  'oidc-issuer-url': undefined,
  'oidc-client-id': undefined,
  'oidc-username-claim': undefined,
  'oidc-username-prefix': undefined,
  'oidc-groups-claim': undefined,
  'oidc-groups-prefix': undefined,
  'oidc-ca-file': undefined,
}
const CONFIG = `apiVersion: apiserver.config.k8s.io/v1beta1
kind: AuthenticationConfiguration
jwt:
  - issuer: { url: https://issuer.example, audiences: [me] }
    claimMappings: { username: { claim: sub, prefix: "" } }
`

function files() {
  const folder = temporaryFolder({ config: CONFIG, tokens: 's3cret,bob,1\n' })
  const [config, tokens] = [join(folder, 'config'), join(folder, 'tokens')]
  for (const file of [config, tokens]) chmodSync(file, 0o600)
  return { config, tokens }
}

const names = ({ staticTokens, issuers }: AuthenticationSettings) => [
  staticTokens?.map(({ user }) => user.username),
  issuers?.map(({ url }) => url),
]

test('issuers and tokens come from files, an issuer alone from flags', async () => {
  const { config, tokens } = files()
  const both = await readAuthentication({ ...NONE, 'authentication-config': config, 'token-auth-file': tokens })
  expect(names(both)).toEqual([['bob'], ['https://issuer.example']])
  const flags = { ...NONE, 'oidc-issuer-url': 'https://other.example', 'oidc-client-id': 'me' }
  expect(names(await readAuthentication(flags))).toEqual([undefined, ['https://other.example']])
})

test.each<[Partial<AuthenticationValues>, string]>([
  [{ 'oidc-client-id': 'me' }, '--oidc-client-id needs --oidc-issuer-url'],
  [{ 'oidc-issuer-url': 'https://x.example' }, '--oidc-issuer-url needs --oidc-client-id'],
  [{ 'oidc-issuer-url': 'http://x.example', 'oidc-client-id': 'me' }, 'must be an https URL'],
  [{ 'authentication-config': '/nowhere' }, '--authentication-config /nowhere: there is no such file'],
])('%o is a fault', async (values, message) => {
  await expect(readAuthentication({ ...NONE, ...values })).rejects.toThrow(message)
})

test('files that others may read or write, or that are wrong, are refused by their name', async () => {
  const { config, tokens } = files()
  const values = { ...NONE, 'authentication-config': config, 'token-auth-file': tokens }
  writeFileSync(config, CONFIG.replace('claim: sub', 'expression: claims.sub'))
  await expect(readAuthentication(values)).rejects.toThrow(
    `${config}: jwt[0].claimMappings.username.expression is in CEL`,
  )
  writeFileSync(config, CONFIG)
  chmodSync(tokens, 0o640)
  await expect(readAuthentication(values)).rejects.toThrow(`chmod 600 ${tokens}`)
  chmodSync(tokens, 0o600)
  writeFileSync(tokens, 'one,two')
  await expect(readAuthentication(values)).rejects.toThrow(`${tokens}: line 1: needs a token`)
  chmodSync(config, 0o602)
  await expect(readAuthentication(values)).rejects.toThrow(`chmod o-w ${config}`)
})

test('a changed file is read again; a wrong one changes nothing and is logged', async () => {
  const { tokens } = files()
  const values = { ...NONE, 'token-auth-file': tokens }
  const clock = new ManualClock(0)
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const seen: AuthenticationSettings[] = []
  const errors: object[] = []
  const log = { ...silentLog, error: (fields: object) => void errors.push(fields) }
  followAuthentication(values, (settings) => void seen.push(settings), log, ending.signal, clock)
  const replace = (text: string) => {
    writeFileSync(`${tokens}.new`, text, { mode: 0o600 })
    renameSync(`${tokens}.new`, tokens)
    clock.advance(1000)
  }
  clock.advance(1000)
  replace('s3cret,bob,1\nother,ada,2\n')
  await expect.poll(() => seen.map(names)).toEqual([[['bob', 'ada'], []]])
  replace('wrong')
  await expect.poll(() => errors).toEqual([{ reason: expect.stringContaining('line 1') }])
  replace('')
  await expect.poll(() => seen.length).toBe(2)
  expect(seen.at(-1)?.staticTokens).toEqual([])
})
