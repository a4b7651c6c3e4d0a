// Why a webhook could not be called, in the words of Kubernetes' client: people and programs know them.

/** The message names the URL and the reason. */
export class WebhookCallError extends Error {}

const UNKNOWN_AUTHORITY = 'x509: certificate signed by unknown authority'
const TLS_TEXTS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'x509: certificate has expired or is not yet valid',
  CERT_NOT_YET_VALID: 'x509: certificate has expired or is not yet valid',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  ERR_TLS_CERT_ALTNAME_INVALID: 'x509: certificate is not valid for this name',
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
}

export function goReason(error: unknown, { host, port }: { readonly host: string; readonly port: number }): string {
  const first = error instanceof AggregateError ? error.errors[0] : error
  const { code = '', message } = first as NodeJS.ErrnoException
  const tls = TLS_TEXTS[code]
  if (tls !== undefined) return `tls: failed to verify certificate: ${tls} (${message})`
  const at = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
  switch (code) {
    case 'ECONNREFUSED':
      return `dial tcp ${at}: connect: connection refused`
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `dial tcp ${at}: connect: no route to host`
    case 'ENOTFOUND':
      return `dial tcp: lookup ${host}: no such host`
    case 'ECONNRESET':
      return 'EOF: the webhook closed the connection without an answer'
    default:
      return message
  }
}
