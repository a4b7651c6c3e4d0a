// The lines that `homeostat up` prints once the server is ready.

export interface Greeting {
  /** Plain HTTP, or TLS where there is none. */
  readonly url: string
  /** TLS, where there is plain HTTP too. */
  readonly secureUrl?: string | undefined
  /** The data directory; undefined for the memory store. */
  readonly directory: string | undefined
  readonly kubeconfig: string
}

export function greeting({ url, secureUrl, directory, kubeconfig }: Greeting): string {
  const curl = url.startsWith('http:') ? `  curl     curl ${url}/\n` : ''
  return `Homeostat is ready at ${url}${secureUrl === undefined ? '' : ` and ${secureUrl}`}

  data     ${directory ?? 'in memory, gone when the server ends'}
  look     ${url}/ui
  kubectl  export KUBECONFIG=${shellQuote(kubeconfig)}
           kubectl get crds
${curl}
`
}

function shellQuote(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
