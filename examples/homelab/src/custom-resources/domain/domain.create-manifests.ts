// The manifests of a Domain. Pure.

import { createHash } from 'node:crypto'
import { GROUP } from '../../group.ts'

/** The owner of an object in another namespace, which an owner reference cannot name. */
export const OWNER_UID = `${GROUP}/domain-uid`
const OWNER = `${GROUP}/domain`

interface DomainOptions {
  readonly name: string
  readonly namespace: string
  readonly uid: string
  readonly spec: {
    readonly hostname: string
    readonly issuer: string
    readonly ingress: { readonly namespace: string; readonly selector: Readonly<Record<string, string>> }
  }
}

export function hostsOf(hostname: string): string[] {
  return [hostname, `*.${hostname}`]
}

/** Domains of all namespaces meet in the one of the ingress: a digest keeps `a-b`/`c` and `a`/`b-c` apart. */
export function certificateNameOf({ name, namespace }: { readonly name: string; readonly namespace: string }): string {
  const digest = createHash('sha256').update(`${namespace}/${name}`).digest('hex').slice(0, 10)
  return `domain-${`${namespace}-${name}`.replaceAll('.', '-').slice(0, 40).replace(/-+$/, '')}-${digest}`
}

export function createCertificateManifest(options: DomainOptions) {
  const { name, namespace, uid, spec } = options
  const secretName = certificateNameOf(options)
  return {
    metadata: { labels: { [OWNER_UID]: uid }, annotations: { [OWNER]: `${namespace}/${name}` } },
    spec: {
      secretName,
      dnsNames: hostsOf(spec.hostname),
      issuerRef: { group: 'cert-manager.io', kind: 'ClusterIssuer', name: spec.issuer },
    },
  }
}

export function createGatewayManifest(options: DomainOptions) {
  const hosts = hostsOf(options.spec.hostname)
  return {
    spec: {
      selector: { ...options.spec.ingress.selector },
      servers: [
        { port: { number: 80, name: 'http', protocol: 'HTTP' }, hosts, tls: { httpsRedirect: true } },
        {
          port: { number: 443, name: 'https', protocol: 'HTTPS' },
          hosts,
          tls: { mode: 'SIMPLE', credentialName: certificateNameOf(options) },
        },
      ],
    },
  }
}
