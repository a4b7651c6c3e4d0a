// Finds the socket of the Docker engine, and says what to do when it cannot be reached. Pure.

const DEFAULT_SOCKET = '/var/run/docker.sock'

/** The path of the socket: the given one, else that of DOCKER_HOST, else Docker's default. */
export function engineSocket(given: string | undefined, dockerHost: string | undefined): string {
  const place = given ?? dockerHost
  if (place === undefined || place === '') return DEFAULT_SOCKET
  const path = place.startsWith('unix://') ? place.slice('unix://'.length) : place
  if (path.startsWith('/')) return path
  const source = given === undefined ? 'DOCKER_HOST=' : ''
  throw new Error(
    `${source}${place}: Docker is reached over a unix socket of this machine alone, such as unix://${DEFAULT_SOCKET}`,
  )
}

const ADVICE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such socket; start the Docker daemon, or say where it listens with DOCKER_HOST=unix:///path',
  ECONNREFUSED: 'nobody listens there; start the Docker daemon',
  EACCES: 'this user may not; add it to the group docker and log in again, or run as root',
  EPERM: 'this user may not; add it to the group docker and log in again, or run as root',
}

/** The error for an engine that could not be reached, with what to do. */
export function unreachable(socket: string, error: unknown): Error {
  const { code = '', message = String(error) } = (error ?? {}) as { code?: string; message?: string }
  return new Error(`cannot reach Docker at ${socket}: ${ADVICE[code] ?? message}`, { cause: error })
}
