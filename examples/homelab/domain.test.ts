// Domains without any other system: the certificate's status is written by the test, as cert-manager would.

import type { LooseObject } from '@homeostat/client'
import { expect, test } from 'vitest'
import { certificates, gateways } from './definitions/definitions.ts'
import {
  certificateRef,
  conditions,
  domain,
  domainEnv,
  domainRef,
  gatewayRef,
  issue,
  namespace,
  untilDomain,
} from './domain.fixture.ts'
import { certificateNameOf } from './src/custom-resources/domain/domain.create-manifests.ts'

test('a domain gets a certificate for itself and its subdomains, and a gateway that redirects to https', async () => {
  const env = await domainEnv()
  await env.apply(domain())
  const certificate = await env.until<LooseObject>(certificateRef(), () => true)
  expect(certificate.spec).toEqual({
    secretName: certificateRef().name,
    dnsNames: ['homelab.olsen.cloud', '*.homelab.olsen.cloud'],
    issuerRef: { group: 'cert-manager.io', kind: 'ClusterIssuer', name: 'letsencrypt-prod' },
  })
  expect(certificate.metadata.ownerReferences).toBeUndefined()
  const waits = await untilDomain(env, 'Certificate', 'False Pending')
  expect(conditions(waits)).toMatchObject({ Gateway: 'True Ready', Ready: 'False Pending' })
  await issue(env)
  const ready = await untilDomain(env, 'Ready', 'True Ready')
  expect(ready.status).toMatchObject({ hosts: ['homelab.olsen.cloud', '*.homelab.olsen.cloud'] })
  const hosts = ['homelab.olsen.cloud', '*.homelab.olsen.cloud']
  const gateway = await env.until<LooseObject>(gatewayRef(), () => true)
  expect(gateway.metadata.ownerReferences).toMatchObject([{ kind: 'Domain', name: 'homelab' }])
  expect(gateway.spec).toEqual({
    selector: { istio: 'ingress' },
    servers: [
      { port: { number: 80, name: 'http', protocol: 'HTTP' }, hosts, tls: { httpsRedirect: true } },
      {
        port: { number: 443, name: 'https', protocol: 'HTTPS' },
        hosts,
        tls: { mode: 'SIMPLE', credentialName: certificateRef().name },
      },
    ],
  })
})

test('it waits for definitions that are missing, one by one, and goes on when they appear', async () => {
  const env = await domainEnv([])
  await env.apply(domain())
  const waits = await untilDomain(env, 'Certificate', 'False MissingCRD')
  expect(conditions(waits)).toMatchObject({ Gateway: 'False MissingCRD', Ready: 'False MissingCRD' })
  await env.apply(gateways)
  await untilDomain(env, 'Gateway', 'True Ready')
  await env.apply(certificates)
  await issue(env)
  await untilDomain(env, 'Ready', 'True Ready')
})

test('a certificate in another namespace goes with its domain, with its key, and only that', async () => {
  const env = await domainEnv()
  await env.apply(domain(), domain('other'))
  await issue(env)
  await untilDomain(env, 'Ready', 'True Ready')
  await env.until(certificateRef('other'), () => true)
  const { name } = certificateRef()
  const annotations = { 'cert-manager.io/certificate-name': name }
  const secret = { apiVersion: 'v1', kind: 'Secret', name, namespace: 'istio-ingress' }
  const { kind } = secret
  await env.apply({ apiVersion: 'v1', kind, metadata: { name, namespace: 'istio-ingress', annotations } })
  await env.apply({ apiVersion: 'v1', kind, metadata: { name: 'unrelated', namespace: 'istio-ingress' } })
  await env.client.resourceOf(domainRef().apiVersion, 'Domain').delete(domainRef())
  for (const ref of [domainRef(), certificateRef(), gatewayRef(), secret]) await env.untilGone(ref)
  await env.until(certificateRef('other'), () => true)
  await env.until({ ...secret, name: 'unrelated' }, () => true)
})

test('a certificate of the same name that is somebody else’s is neither changed nor deleted', async () => {
  const env = await domainEnv()
  const { apiVersion, kind, name, namespace } = certificateRef()
  const foreign = { secretName: 'theirs', issuerRef: { name: 'theirs' } }
  await env.apply({ apiVersion, kind, metadata: { name, namespace }, spec: foreign })
  await env.apply(domain())
  await untilDomain(env, 'Certificate', 'False NameTaken')
  await env.client.resourceOf(domainRef().apiVersion, 'Domain').delete(domainRef())
  await env.untilGone(domainRef())
  expect((await env.until<LooseObject>(certificateRef(), () => true)).spec).toEqual(foreign)
})

test('a deleted certificate comes back, and one in the former ingress goes', async () => {
  const env = await domainEnv()
  await env.apply(namespace('edge'), domain())
  const { metadata } = await env.until(certificateRef(), () => true)
  await env.client.resourceOf(certificateRef().apiVersion, 'Certificate').delete(certificateRef())
  await env.until(certificateRef(), (found) => found.metadata.uid !== metadata.uid)
  await env.apply(domain('homelab', { ingress: { namespace: 'edge' } }))
  await env.until(certificateRef('homelab', 'homelab', 'edge'), () => true)
  await env.untilGone(certificateRef())
})

test('of two domains with one hostname the older has it, and the other when that is gone', async () => {
  const env = await domainEnv()
  await env.apply(namespace('tenant'), domain())
  await env.until(gatewayRef(), () => true)
  // Times of creation have whole seconds.
  await env.advance('2s')
  await env.apply(domain('copy', { hostname: 'homelab.olsen.cloud' }, 'tenant'))
  await untilDomain(env, 'Hostname', 'False HostnameTaken', domainRef('copy', 'tenant'))
  await env.settled()
  expect(await env.client.resourceOf('networking.istio.io/v1', 'Gateway').find(gatewayRef('copy', 'tenant'))).toBe(
    undefined,
  )
  await env.client.resourceOf(domainRef().apiVersion, 'Domain').delete(domainRef())
  await env.until(gatewayRef('copy', 'tenant'), () => true)
})

test('a hostname that is none, or a wildcard, is refused by the server', async () => {
  const env = await domainEnv()
  const long = [`${'a'.repeat(64)}.b`, `${'a.'.repeat(120)}b`]
  for (const hostname of ['*', '*.olsen.cloud', 'olsen', 'UPPER.cloud', 'a..b', '-a.b', 'a.b/', 'a.b\n', ...long])
    await expect(env.apply(domain('homelab', { hostname })), hostname).rejects.toThrow('spec.hostname')
})

test('names of certificates are names, and differ for every domain', () => {
  const places = [
    { namespace: 'a-b', name: 'c' },
    { namespace: 'a', name: 'b-c' },
    { namespace: 'a', name: 'b.c' },
    { namespace: 'n'.repeat(63), name: `${'x'.repeat(252)}y` },
    { namespace: 'n'.repeat(63), name: `${'x'.repeat(252)}z` },
  ]
  const names = places.map(certificateNameOf)
  expect(new Set(names).size).toBe(places.length)
  for (const name of names) expect(name).toMatch(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)
})
