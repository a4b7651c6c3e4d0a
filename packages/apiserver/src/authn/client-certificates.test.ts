import { X509Certificate } from 'node:crypto'
import { type CertificateRequest, issueCertificate, makeAuthority } from '@homeostat/pki'
import { expect, it } from 'vitest'
import { ClientCertificates } from './client-certificates.ts'

const START = Date.UTC(2026, 0, 31, 12)
const DAY_MS = 86_400_000
const ours = makeAuthority(START)

function issue(more: Partial<CertificateRequest> = {}, authority = ours): X509Certificate {
  const times = { notBefore: new Date(START), notAfter: new Date(START + DAY_MS) }
  const { certificate } = issueCertificate(authority, { commonName: 'ada', usage: 'client', ...times, ...more })
  return new X509Certificate(certificate)
}

function setUp(authorities = ours.certificate) {
  const state = { now: START, authorities }
  const certificates = new ClientCertificates({ authorities: () => state.authorities, now: () => state.now })
  return { state, recognise: (certificate: X509Certificate) => certificates.recognise(certificate) }
}

it('CN is the name, each O a group, and the certificate is named', () => {
  const certificate = issue({ organizations: ['staff', 'on-call'] })
  const sha256 = certificate.fingerprint256.replaceAll(':', '').toLowerCase()
  expect(setUp().recognise(certificate)).toEqual({
    username: 'ada',
    groups: ['staff', 'on-call', 'system:authenticated'],
    extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${sha256}`] },
  })
})

it('a certificate of another authority is nobody, even if that has the same name', () => {
  const other = makeAuthority(START)
  expect(setUp().recognise(issue({ organizations: ['system:masters'] }, other))).toBeUndefined()
})

it.each([
  'ada\nO=system:masters',
  'ada, O=system:masters',
  'ada + O=system:masters',
  'ada/O=system:masters',
  'ada\\, O=system:masters',
  'CN=ada,O=system:masters',
  'ада "O=x"',
])('the name %j forges no group', (commonName) => {
  expect(setUp().recognise(issue({ commonName }))).toMatchObject({
    username: commonName,
    groups: ['system:authenticated'],
  })
})

it('the time is checked at every request', () => {
  const { state, recognise } = setUp()
  const certificate = issue()
  expect(recognise(certificate)?.username).toBe('ada')
  state.now = START + DAY_MS + 1000
  expect(recognise(certificate)).toBeUndefined()
  state.now = START - 1000
  expect(recognise(certificate)).toBeUndefined()
  state.now = START
  expect(recognise(certificate)?.username).toBe('ada')
})

it('an authority that is removed takes its certificates along; with two both are good', () => {
  const next = makeAuthority(START, 'homeostat-2')
  const { state, recognise } = setUp()
  const [old, young] = [issue(), issue({}, next)]
  expect([recognise(old)?.username, recognise(young)]).toEqual(['ada', undefined])
  state.authorities = ours.certificate + next.certificate
  expect([recognise(old)?.username, recognise(young)?.username]).toEqual(['ada', 'ada'])
  state.authorities = next.certificate
  expect([recognise(old), recognise(young)?.username]).toEqual([undefined, 'ada'])
})

it("a server's certificate of our own authority is no credential", () => {
  expect(setUp().recognise(issue({ usage: 'server', dnsNames: ['localhost'] }))).toBeUndefined()
})

it('an authority that has ended stands behind nobody', () => {
  const { state, recognise } = setUp()
  const certificate = issue({ notAfter: new Date(START + 30 * 365 * DAY_MS) })
  expect(recognise(certificate)?.username).toBe('ada')
  state.now = START + 11 * 365 * DAY_MS
  expect(recognise(certificate)).toBeUndefined()
})

it('the certificate of the authority itself is no user', () => {
  const itself = new X509Certificate(ours.certificate)
  // It is valid as a chain, and has a name. Kubernetes would take it; whoever holds its key can issue any other.
  expect(setUp().recognise(itself)?.groups ?? []).not.toContain('system:masters')
})
