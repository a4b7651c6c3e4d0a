import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { makeNextAuthority, makePki, readPki } from '@homeostat/apiserver/keys'
import { ManualClock, silentLog } from '@homeostat/base'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { issueCertificate } from '@homeostat/pki'
import { MemoryStore } from '@homeostat/store'
import { expect, onTestFinished, test } from 'vitest'
import { beginRotation, finishRotation } from './authority-rotation.ts'
import { startControlPlane } from './control-plane.ts'
import { openPki } from './pki-folder.ts'
import { SecureAccess, type SecureAccessOptions } from './secure-access.ts'

const DAY = 86_400_000

async function secured(more: Partial<SecureAccessOptions> = {}) {
  const directory = temporaryFolder()
  const clock = new ManualClock(Date.now())
  const logged: string[] = []
  const logger = {
    ...silentLog,
    error: (fields: object) => void logged.push(String((fields as { reason: string }).reason)),
  }
  const pki = await openPki(directory, { makePki, readPki })
  const options: SecureAccessOptions = {
    directory,
    host: '127.0.0.1',
    port: 0,
    names: ['api.test'],
    certificateFile: undefined,
    keyFile: undefined,
    clientAuthorityFile: undefined,
    pki,
    logger,
    clock,
    ...more,
  }
  const access = new SecureAccess(options)
  const store = new MemoryStore()
  const { listen } = access
  const plane = await startControlPlane({
    store,
    host: '127.0.0.1',
    port: undefined,
    secure: listen,
    pki: access.pki,
    logger,
    addOns: [],
  })
  onTestFinished(async () => {
    await plane.close()
    await store.close()
  })
  const port = plane.secure?.address.port ?? 0
  const serving = async (servername = 'localhost', ca?: string) => {
    const socket = connect({
      port,
      host: '127.0.0.1',
      servername,
      ...(ca === undefined ? {} : { ca }),
      rejectUnauthorized: false,
    })
    onTestFinished(() => void socket.destroy())
    await once(socket, 'secureConnect')
    const certificate = socket.getPeerX509Certificate() as X509Certificate
    return { certificate, authorized: socket.authorized }
  }
  const check = () => access.check(plane)
  return { directory, folder: join(directory, 'pki'), clock, logged, pki, access, plane, port, serving, check }
}

test('the kubeconfig has what a client needs, and the certificate has the names', async () => {
  const { access, port, pki, serving } = await secured()
  const text = readFileSync(access.writeKubeconfig(port), 'utf8')
  const field = (name: string) => Buffer.from(new RegExp(`${name}: (.*)`).exec(text)?.[1] ?? '', 'base64').toString()
  expect(text).toContain(`server: "https://127.0.0.1:${port}"`)
  expect(field('certificate-authority-data')).toBe(pki.caCertificate)
  const administrator = new X509Certificate(field('client-certificate-data'))
  expect(administrator.toLegacyObject().subject).toEqual({ O: 'system:masters', CN: 'homeostat-admin' })
  expect(field('client-key-data')).toContain('PRIVATE KEY')
  const { certificate, authorized } = await serving('api.test', pki.caCertificate)
  expect(authorized).toBe(true)
  for (const name of ['localhost', 'api.test', 'kubernetes.default.svc']) expect(certificate.checkHost(name)).toBe(name)
  expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1')
})

test('certificates are renewed long before their end, and not before', async () => {
  const { clock, serving, check, access, port, logged } = await secured()
  const { certificate } = await serving()
  const kubeconfig = readFileSync(access.writeKubeconfig(port), 'utf8')
  clock.advance(200 * DAY)
  check()
  expect((await serving()).certificate.fingerprint256).toBe(certificate.fingerprint256)
  clock.advance(50 * DAY)
  check()
  const renewed = (await serving()).certificate
  expect(renewed.validToDate.getTime()).toBe(certificate.validToDate.getTime() + 250 * DAY)
  expect(readFileSync(access.writeKubeconfig(port), 'utf8')).not.toBe(kubeconfig)
  expect(logged).toEqual([])
})

test('the authority rotates while the server runs: first both are published, then the next alone', async () => {
  const { folder, pki, serving, check, access } = await secured()
  const next = makeNextAuthority(Date.now())
  const both = pki.caCertificate + next['ca-next.crt']
  beginRotation(folder, next)
  check()
  expect(access.pki.caCertificate).toBe(both)
  // Clients that know only the old authority still reach the server.
  expect((await serving('localhost', pki.caCertificate)).authorized).toBe(true)
  finishRotation(folder)
  check()
  expect(access.pki.caCertificate).toBe(next['ca-next.crt'])
  expect((await serving('localhost', pki.caCertificate)).authorized).toBe(false)
  expect((await serving('localhost', both)).authorized).toBe(true)
})

test('a certificate of one’s own is used, taken over when a rename replaces it, and never half', async () => {
  const folder = temporaryFolder()
  const { 'ca-next.crt': root, 'ca-next.key': key } = makeNextAuthority(Date.now())
  const authority = (await readPkiOf(root, key)).servingAuthority
  const write = (name: string, until: number) => {
    const issued = issueCertificate(authority, {
      commonName: name,
      dnsNames: [name],
      usage: 'server',
      notBefore: new Date(Date.now() - DAY),
      notAfter: new Date(until),
    })
    for (const [file, text] of [
      ['tls.crt', issued.certificate],
      ['tls.key', issued.key],
    ] as const) {
      writeFileSync(join(folder, `${file}.new`), text)
      renameSync(join(folder, `${file}.new`), join(folder, file))
    }
  }
  write('one.test', Date.now() + DAY)
  const files = { certificateFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') }
  const { serving, check, access, port, logged, pki } = await secured(files)
  expect((await serving('one.test')).certificate.subject).toBe('CN=one.test')
  // The kubeconfig asks for a name of the server's own certificate.
  expect(readFileSync(access.writeKubeconfig(port), 'utf8')).toContain('tls-server-name: localhost')
  expect((await serving('localhost', pki.caCertificate)).authorized).toBe(true)
  write('two.test', Date.now() + DAY)
  check()
  expect((await serving('two.test')).certificate.subject).toBe('CN=two.test')
  writeFileSync(files.keyFile, 'half')
  check()
  expect(logged.splice(0)).toEqual([`--tls-private-key-file ${files.keyFile} cannot be used: it holds no PEM`])
  expect((await serving('two.test')).certificate.subject).toBe('CN=two.test')
})

test('files that cannot be used are named', async () => {
  await expect(secured({ certificateFile: '/none' })).rejects.toThrow('go together; give both or neither')
  await expect(secured({ clientAuthorityFile: '/none' })).rejects.toThrow(
    '--client-ca-file /none cannot be used: ENOENT',
  )
})

test('clients of another authority are let in by --client-ca-file, until it is taken out', async () => {
  const file = join(temporaryFolder(), 'clients.crt')
  const { 'ca-next.crt': root, 'ca-next.key': key } = makeNextAuthority(Date.now())
  const { issuingAuthority } = await readPkiOf(root, key)
  const { certificate, ...client } = issueCertificate(issuingAuthority, {
    commonName: 'ann',
    usage: 'client',
    notBefore: new Date(Date.now() - DAY),
    notAfter: new Date(Date.now() + DAY),
  })
  writeFileSync(file, root)
  const { port, pki, check } = await secured({ clientAuthorityFile: file })
  const status = () =>
    new Promise<number | undefined>((resolve, reject) => {
      const options = {
        port,
        host: '127.0.0.1',
        path: '/version',
        ca: pki.caCertificate,
        cert: certificate,
        agent: false as const,
      }
      request({ ...options, ...client }, (response) => resolve(response.resume().statusCode))
        .once('error', reject)
        .end()
    })
  expect(await status()).toBe(200)
  writeFileSync(file, pki.caCertificate)
  check()
  expect(await status()).toBe(401)
})

async function readPkiOf(certificate: string, key: string) {
  return readPki({ ...(await makePki()), 'ca.crt': certificate, 'ca.key': key })
}
