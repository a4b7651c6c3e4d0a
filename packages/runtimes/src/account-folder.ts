// The files by which a program that we start knows its server and proves who it is: token, authority, namespace, and a
// kubeconfig that names them. Containers have the folder mounted at the place where Kubernetes has it.

import { chmod, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeJson } from '@homeostat/meta'

/** Where programs in containers look, in every language. */
export const ACCOUNT_PLACE = '/var/run/secrets/kubernetes.io/serviceaccount'

/** The name by which a container on a network of its own reaches this machine; `Unit.reachesHost` makes it known. */
export const HOST_NAME = 'host.docker.internal'

export const ACCOUNT_FILES = {
  token: 'token',
  authority: 'ca.crt',
  namespace: 'namespace',
  config: 'kubeconfig',
} as const

export interface AccountFiles {
  readonly token: string
  /** PEM. */
  readonly ca: string
  readonly namespace: string
  /** The text of the kubeconfig, which names the files beside it. */
  readonly kubeconfig: string
}

/** Who reads the files: a program of this user, or one in a container, whose user has any number. */
export type AccountReader = 'owner' | 'container'

/**
 * Writes what has changed, each file atomically: a reader sees the former or the new one. The folder's parent is private to
 * this user, so that files for containers can be readable for every user inside.
 */
export async function writeAccountFolder(folder: string, files: AccountFiles, reader: AccountReader): Promise<void> {
  const isPrivate = reader === 'owner'
  await privateFolder(dirname(folder))
  await mkdir(folder, { recursive: true })
  await chmod(folder, isPrivate ? 0o700 : 0o755)
  const contents = [
    [ACCOUNT_FILES.token, files.token],
    [ACCOUNT_FILES.authority, files.ca],
    [ACCOUNT_FILES.namespace, files.namespace],
    [ACCOUNT_FILES.config, files.kubeconfig],
  ] as const
  for (const [name, text] of contents) await writeIfChanged(join(folder, name), text, isPrivate ? 0o600 : 0o644)
}

/** For whom a folder was written. */
export async function accountReader(folder: string): Promise<AccountReader> {
  return ((await stat(folder)).mode & 0o077) === 0 ? 'owner' : 'container'
}

/** No error when it is not there. */
export async function removeAccountFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}

/** Undefined when there is none. */
export async function readAccountToken(folder: string): Promise<string | undefined> {
  try {
    return (await readFile(join(folder, ACCOUNT_FILES.token), 'utf8')).trim() || undefined
  } catch {
    return undefined
  }
}

/** The names of the folders below a parent; none when that is not there. */
export async function accountFolders(parent: string): Promise<string[]> {
  try {
    const entries = await readdir(parent, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** In JSON, which every reader of YAML takes. It names token and authority by files, so a renewed token needs no other one. */
export function accountKubeconfig(
  server: string,
  namespace: string,
  user: string,
  extensions: readonly object[] = [],
): string {
  const cluster = { server, 'certificate-authority': ACCOUNT_FILES.authority }
  const context = { cluster: 'homeostat', user, namespace, ...(extensions.length > 0 && { extensions }) }
  return `${writeJson(
    {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': user,
      clusters: [{ name: 'homeostat', cluster }],
      contexts: [{ name: user, context }],
      users: [{ name: user, user: { tokenFile: ACCOUNT_FILES.token } }],
    },
    2,
  )}\n`
}

/** Variables by which programs find the server and the folder: `place` is where they see it. */
export function accountEnv(server: string, place: string): Record<string, string> {
  const { hostname, port } = new URL(server)
  return {
    KUBERNETES_SERVICE_HOST: hostname.replace(/^\[(.*)\]$/, '$1'),
    KUBERNETES_SERVICE_PORT: port || '443',
    // For programs without the usual place: kubectl and most clients read the first, ours the second too.
    ...(place !== ACCOUNT_PLACE && {
      KUBECONFIG: join(place, ACCOUNT_FILES.config),
      HOMEOSTAT_SERVICE_ACCOUNT: place,
    }),
  }
}

/** The server as a container sees it: loopback is its own, unless it shares the machine's network. */
export function serverForContainers(server: string): string {
  const url = new URL(server)
  if (!/^(localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname)) return server
  url.hostname = HOST_NAME
  return url.href.replace(/\/$/, '')
}

async function privateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
}

async function writeIfChanged(path: string, text: string, mode: number): Promise<void> {
  const now = await readFile(path, 'utf8').catch(() => undefined)
  if (now === text) return
  const unfinished = `${path}.${process.pid}.new`
  const file = await open(unfinished, 'w', mode)
  try {
    await file.writeFile(text)
    // The umask may have taken away what a container needs.
    await file.chmod(mode)
  } finally {
    await file.close()
  }
  await rename(unfinished, path)
}
