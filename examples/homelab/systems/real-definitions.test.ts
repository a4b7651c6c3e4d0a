// A Domain on the definitions of cert-manager and Istio themselves, from the Go modules in which they are published. Without a
// network they cannot be had, and the test is skipped.

import { inflateRawSync } from 'node:zlib'
import type { LooseObject } from '@homeostat/client'
import { expect, test } from 'vitest'
import { certificateRef, domain, domainEnv, gatewayRef, issue, untilDomain } from '../domain.fixture.ts'

const MODULES = {
  certificates: ['github.com/cert-manager/cert-manager', 'v1.21.2', 'deploy/crds/cert-manager.io_certificates.yaml'],
  gateways: ['istio.io/api', 'v1.31.1', 'kubernetes/customresourcedefinitions.gen.yaml'],
} as const

/** The documents of a file in a module. Undefined when the module cannot be had. */
async function documents([module, version, path]: readonly [string, string, string]): Promise<string[] | undefined> {
  const [proxy = ''] = (process.env.GOPROXY || 'https://proxy.golang.org').split(/[,|]/)
  try {
    const response = await fetch(`${proxy}/${module}/@v/${version}.zip`, { signal: AbortSignal.timeout(60_000) })
    if (!response.ok) return undefined
    return unzipped(Buffer.from(await response.arrayBuffer()), `${module}@${version}/${path}`).split(/^---$/m)
  } catch (error) {
    if (error instanceof TypeError || (error as Error).name === 'TimeoutError') return undefined
    throw error
  }
}

/** One file of a zip archive, found by its central directory. */
function unzipped(zip: Buffer, name: string): string {
  let at = zip.readUInt32LE(zip.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6])) + 16)
  while (zip.readUInt32LE(at) === 0x02014b50) {
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ]
    if (zip.toString('utf8', at + 46, at + 46 + nameLength) === name) {
      const local = zip.readUInt32LE(at + 42)
      const begin = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
      return inflateRawSync(zip.subarray(begin, begin + zip.readUInt32LE(at + 20))).toString()
    }
    at += 46 + nameLength + extra + comment
  }
  throw new Error(`the module has no ${name}`)
}

test('a Domain works on the definitions of cert-manager and Istio themselves', async ({ skip }) => {
  const [certificates, gateways] = await Promise.all([documents(MODULES.certificates), documents(MODULES.gateways)])
  if (!certificates || !gateways) return skip('the Go modules with the definitions cannot be had from here')
  const env = await domainEnv([])
  await env.apply(domain())
  await untilDomain(env, 'Ready', 'False MissingCRD')
  const wanted = [
    certificates.find((text) => text.includes('kind: CustomResourceDefinition')),
    gateways.find((text) => /^ {2}name: gateways\.networking\.istio\.io$/m.test(text)),
  ]
  for (const body of wanted) {
    const { status } = await env.client.request({
      method: 'POST',
      path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      headers: { 'content-type': 'application/yaml' },
      body: body ?? '',
    })
    expect(status).toBe(201)
  }
  await issue(env)
  await untilDomain(env, 'Ready', 'True Ready')
  const gateway = await env.until<LooseObject>(gatewayRef(), () => true)
  expect(gateway.spec).toMatchObject({ servers: [{ tls: { httpsRedirect: true } }, { tls: { mode: 'SIMPLE' } }] })
  const certificate = await env.until<LooseObject>(certificateRef(), () => true)
  expect(certificate.spec).toMatchObject({ issuerRef: { kind: 'ClusterIssuer' } })
  await env.settled()
  env.takeWrites()
  await env.client
    .resourceOf('homelab.mortenolsen.pro/v1', 'Domain')
    .patch({ name: 'homelab', namespace: 'homelab' }, { metadata: { labels: { touched: 'yes' } } })
  await env.settled()
  expect(env.takeWrites()).toEqual([])
})
