// Finds the login for an image's registry in Secrets of the type kubernetes.io/dockerconfigjson.

import type { Client } from '@homeostat/client'
import { isObject } from '@homeostat/meta'
import { imageRegistry, type RegistryLogin } from '@homeostat/runtimes'

const KEY = '.dockerconfigjson'
/** The names under which `docker login` keeps the login of its own registry. */
const DOCKER_IO = ['docker.io', 'index.docker.io', 'registry-1.docker.io']

/** Undefined without Secrets. Rejects when one is missing, or none has a login for the registry. */
export async function registryLogin(
  client: Client,
  namespace: string,
  image: string,
  secrets: readonly string[],
): Promise<RegistryLogin | undefined> {
  for (const name of secrets) {
    const secret = await client.resource('v1', 'Secret').find({ name, namespace })
    if (secret === undefined)
      throw new Error(`spec.config.imagePullSecrets: there is no Secret ${name} in ${namespace}`)
    const encoded = secret.data?.[KEY]
    if (encoded === undefined) throw new Error(`the Secret ${name} in ${namespace} has no ${KEY}`)
    const login = loginFor(imageRegistry(image), Buffer.from(encoded, 'base64').toString())
    if (login) return login
  }
  if (secrets.length === 0) return undefined
  throw new Error(`no login for ${imageRegistry(image)} in the Secrets ${secrets.join(', ')} of ${namespace}`)
}

/** `config`: a Docker configuration as JSON. Undefined when it has no login for the registry. */
export function loginFor(registry: string, config: string): RegistryLogin | undefined {
  const auths = authsOf(config)
  const names = DOCKER_IO.includes(registry) ? DOCKER_IO : [registry]
  for (const [key, entry] of Object.entries(auths)) {
    if (!names.includes(hostOf(key)) || !isObject(entry)) continue
    const { username, password, auth } = entry
    if (typeof username === 'string' && typeof password === 'string') return { username, password }
    const decoded = typeof auth === 'string' ? Buffer.from(auth, 'base64').toString() : ''
    const colon = decoded.indexOf(':')
    if (colon > 0) return { username: decoded.slice(0, colon), password: decoded.slice(colon + 1) }
  }
  return undefined
}

function authsOf(config: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(config)
    return isObject(value) && isObject(value.auths) ? value.auths : {}
  } catch {
    return {}
  }
}

/** `https://index.docker.io/v1/` and `registry.example:5000` alike. */
function hostOf(key: string): string {
  return key.replace(/^[a-z]+:\/\//, '').split('/')[0] ?? ''
}
