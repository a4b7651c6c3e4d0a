// Bundles of certificates, as `caBundle` has them: replicas behind one Service each add the certificate of their own authority.
// The registration of webhooks and the installation of definitions use it.

/** The most authorities that are kept of replicas that never came back. */
const MAX_AUTHORITIES = 20

/** PEM of a `caBundle`. */
export function decodedBundle(caBundle = ''): string {
  return Buffer.from(caBundle, 'base64').toString('latin1')
}

export function encodedBundle(pem: string): string {
  return Buffer.from(pem).toString('base64')
}

/** PEM of both, each certificate once. */
export function joinedBundle(others: string, own: string): string {
  return [...new Set([...certificatesIn(others), ...certificatesIn(own)])].slice(-MAX_AUTHORITIES).join('')
}

export function bundleWithout(all: string, own: string): string {
  const gone = new Set(certificatesIn(own))
  return certificatesIn(all)
    .filter((certificate) => !gone.has(certificate))
    .join('')
}

function certificatesIn(pem: string): string[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return blocks.map((block) => `${block}\n`)
}
