// Checks whether containers can reach the server's URL. Pure.

import type { DeploymentSpec } from './deployment-spec.ts'

/** What to do about it; undefined when no problem is known. */
export function unreachableServer(
  { runtime, hostNetwork, env }: Pick<DeploymentSpec, 'runtime' | 'hostNetwork' | 'env'>,
  server: string | undefined,
): string | undefined {
  if (runtime !== 'docker' || hostNetwork || server === undefined) return undefined
  // A resource that names the server itself is trusted.
  if (env.COLONIES_SERVER_HOST !== undefined || !isLoopback(new URL(server).hostname)) return undefined
  if (server.startsWith('https:')) {
    return (
      `containers reach the server at ${server} as host.docker.internal: it has to listen on more than loopback ` +
      '(homeostat up --host 0.0.0.0), or set spec.config.network to "host"'
    )
  }
  return (
    `containers do not reach the server at ${server}: set spec.config.network to "host", and run them as root or as the ` +
    "server's user, since a server on loopback lets no others in"
  )
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.')
}
