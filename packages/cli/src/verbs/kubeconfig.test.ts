import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { makePki, readPki } from '@homeostat/apiserver/keys'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, it } from 'vitest'
import { writeKubeconfig, writeSecureKubeconfig } from '../server/kubeconfig.ts'
import { openPki } from '../server/pki-folder.ts'
import { fakeTerminal, runOn } from '../terminal.fixture.ts'

async function dataDirectory() {
  const directory = temporaryFolder()
  const { caCertificate } = await openPki(directory, { makePki, readPki })
  const credentials = { server: 'https://127.0.0.1:6443', caBundle: caCertificate, serverName: undefined }
  writeSecureKubeconfig(directory, { ...credentials, certificate: '', key: '' })
  return { directory, caCertificate }
}

const kubeconfig = (directory: string, ...args: string[]) =>
  runOn(fakeTerminal(), ['kubeconfig', '--data-dir', directory, ...args])

const certificateIn = (text: string) =>
  new X509Certificate(Buffer.from(/client-certificate-data: (\S+)/.exec(text)?.[1] ?? '', 'base64'))

it('writes a certificate of the server for a user and groups, to a file of the owner alone', async () => {
  const { directory, caCertificate } = await dataDirectory()
  const file = join(directory, 'ada.kubeconfig')
  const { code, out } = await kubeconfig(directory, '--user', 'ada', '--group', 'staff', '--for', '2h', '-o', file)
  expect({ code, mode: statSync(file).mode & 0o777 }).toEqual({ code: 0, mode: 0o600 })
  expect(out).toContain('kubectl create rolebinding ada-view --clusterrole view --user ada --namespace default')
  const text = readFileSync(file, 'utf8')
  expect(text).toContain('server: "https://127.0.0.1:6443"')
  const certificate = certificateIn(text)
  expect(certificate.subject.split('\n').toSorted()).toEqual(['CN=ada', 'O=staff'])
  expect(certificate.verify(new X509Certificate(caCertificate).publicKey)).toBe(true)
  const hours = (Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / 3_600_000
  expect(hours).toBe(3)
})

it('an administrator who lost every credential gets a new one on the machine itself', async () => {
  const { directory } = await dataDirectory()
  const { out } = await kubeconfig(directory, '--admin', '--address', 'https://api.example:6443')
  expect(out).toContain('server: "https://api.example:6443"')
  expect(certificateIn(out).subject.split('\n').toSorted()).toEqual(['CN=homeostat-admin', 'O=system:masters'])
})

it.each([
  ['nobody', [], 'name the user'],
  ['a name of the server', ['--user', 'system:kube-proxy'], 'belong to the server'],
  ['a group of the server', ['--user', 'ada', '--group', 'system:masters'], 'belong to the server'],
  ['a name with a line break', ['--user', 'ada\n'], 'is no name'],
  ['a name that is too long', ['--user', 'a'.repeat(65)], 'is no name'],
  ['an administrator by another name', ['--admin', '--user', 'ada'], 'leave out --user'],
  ['a time without end', ['--user', 'ada', '--for', '999999999h'], 'at most 87600h'],
  ['an address without TLS', ['--user', 'ada', '--address', 'http://127.0.0.1:3000'], 'is no https URL'],
])('refuses %s', async (_what, args, error) => {
  const { directory } = await dataDirectory()
  const refused = await kubeconfig(directory, ...args)
  expect(refused).toMatchObject({ code: 2, out: '' })
  expect(refused.error).toContain(error)
})

it('overwrites no file', async () => {
  const { directory } = await dataDirectory()
  const refused = await kubeconfig(directory, '--user', 'ada', '-o', join(directory, 'kubeconfig'))
  expect(refused.error).toContain('exists already')
})

it('says how to turn TLS on, where the server has none', async () => {
  const { directory } = await dataDirectory()
  writeKubeconfig(directory, 'http://127.0.0.1:3000')
  expect((await kubeconfig(directory, '--user', 'ada')).error).toContain('start it with --secure')
})
