// The lines that `homeostat up` prints once the server is ready.

export interface Greeting {
  readonly url: string
  /** The data directory; undefined for the memory store. */
  readonly directory: string | undefined
  readonly kubeconfig: string
}

export function greeting({ url, directory, kubeconfig }: Greeting): string {
  return `Homeostat is ready at ${url}

  data     ${directory ?? 'in memory, gone when the server ends'}
  kubectl  export KUBECONFIG=${shellQuote(kubeconfig)}
           kubectl get crds
  curl     curl ${url}/

`
}

function shellQuote(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
