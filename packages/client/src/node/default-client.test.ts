import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, test } from 'vitest'
import { defaultConnection, defaultTransport } from './default-client.ts'
import { inClusterTransport } from './in-cluster.ts'

const config = (server: string) =>
  JSON.stringify({
    'current-context': 'c',
    clusters: [{ name: 'k', cluster: { server } }],
    contexts: [{ name: 'c', context: { cluster: 'k' } }],
  })
const POD = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' }

test("KUBECONFIG goes first, then the cluster of the pod, then Homeostat in this folder, then the user's own", async () => {
  const root = temporaryFolder({
    kubeconfig: config('http://kubeconfig'),
    'account/token': 't',
    'account/ca.crt': 'CA',
    'here/.homeostat/kubeconfig': config('http://homeostat'),
    'home/.kube/config': config('http://home'),
  })
  const nowhere = join(root, 'nowhere')
  const url = async (env: Record<string, string>, folder: string) =>
    (
      await defaultTransport({
        env,
        folder: join(root, folder),
        home: join(root, 'home'),
        serviceAccount: join(root, 'account'),
      })
    ).url
  expect(await url({ ...POD, KUBECONFIG: join(root, 'kubeconfig') }, 'here')).toBe('http://kubeconfig')
  expect(await url(POD, 'here')).toBe('https://10.0.0.1:443')
  expect(await url({}, 'here')).toBe('http://homeostat')
  expect(await url({}, 'elsewhere')).toBe('http://home')
  // A missing KUBECONFIG file is an error: the client must not fall back to another server.
  await expect(url({ KUBECONFIG: nowhere }, 'here')).rejects.toThrow(nowhere)
})

test('the namespace comes from where the server does: the context, or the pod', async () => {
  const kubeconfig = JSON.parse(config('http://homeostat'))
  kubeconfig.contexts[0].context.namespace = 'dev'
  const root = temporaryFolder({
    'account/token': 't',
    'account/namespace': 'team\n',
    'here/.homeostat/kubeconfig': JSON.stringify(kubeconfig),
  })
  const places = { folder: join(root, 'here'), serviceAccount: join(root, 'account') }
  expect((await defaultConnection({ ...places, env: POD })).namespace).toBe('team')
  expect((await defaultConnection({ ...places, env: {} })).namespace).toBe('dev')
})

test('when there is no server the error names all four places', async () => {
  const folder = temporaryFolder({})
  const nothing = defaultTransport({ env: {}, folder, home: folder, serviceAccount: folder })
  await expect(nothing).rejects.toThrow(/KUBECONFIG.*pod.*\.homeostat\/kubeconfig.*\.kube\/config/)
})

test('a pod speaks for its service account, with the token as it is now', async () => {
  const folder = temporaryFolder({ token: 'one', 'ca.crt': 'CA' })
  const { url, ca, credentials } = inClusterTransport(POD, folder)
  expect([url, ca]).toEqual(['https://10.0.0.1:443', 'CA'])
  const first = await credentials?.get()
  expect(first?.headers).toEqual({ authorization: 'Bearer one' })
  writeFileSync(join(folder, 'token'), 'two')
  expect(credentials?.refused(first ?? {})).toBe(true)
  expect((await credentials?.get())?.headers).toEqual({ authorization: 'Bearer two' })
  expect(inClusterTransport({ ...POD, KUBERNETES_SERVICE_HOST: 'fd00::1' }, folder).url).toBe('https://[fd00::1]:443')
  expect(() => inClusterTransport({}, folder)).toThrow('not in a cluster')
})
