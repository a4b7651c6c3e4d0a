import { expect, test } from 'vitest'
import { greeting } from './greeting.ts'

test('it says the address, the data directory, the kubeconfig, and what to try', () => {
  const text = greeting({ url: 'http://127.0.0.1:3000', directory: '/data', kubeconfig: '/data/kubeconfig' })
  expect(text).toContain('ready at http://127.0.0.1:3000\n')
  expect(text).toMatch(/look +http:\/\/127.0.0.1:3000\/ui\n/)
  expect(text).toMatch(/data +\/data\n/)
  expect(text).toContain('export KUBECONFIG=/data/kubeconfig\n')
  expect(text).toContain('kubectl get crds\n')
  expect(text).toContain('curl http://127.0.0.1:3000/\n')
})

test('a path with spaces can be pasted into a shell', () => {
  const text = greeting({ url: '', directory: undefined, kubeconfig: "/my d'ata/kubeconfig" })
  expect(text).toContain("export KUBECONFIG='/my d'\\''ata/kubeconfig'\n")
  expect(text).toContain('in memory')
})

test('a server with TLS alone has no line for curl, and one with both says so', () => {
  const secureUrl = 'https://127.0.0.1:6443'
  const more = { directory: '/data', kubeconfig: '/data/kubeconfig' }
  expect(greeting({ url: secureUrl, ...more })).not.toContain('curl')
  expect(greeting({ url: 'http://127.0.0.1:3000', secureUrl, ...more })).toContain(
    'ready at http://127.0.0.1:3000 and https://127.0.0.1:6443\n',
  )
})
