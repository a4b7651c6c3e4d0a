// The dashboard of a server, loaded with the first request for it: a server that nobody looks at carries nothing of it.

import { createHash } from 'node:crypto'
import type { Site } from '@homeostat/apiserver'
import type { Pki } from '@homeostat/apiserver/keys'
import type { Providers } from '@homeostat/dashboard'

const PATH = '/ui'

/** Where people log in by a browser; loaded with the dashboard. */
export type LoadProviders = () => Promise<Providers>

/** Servers with the same keys accept each other's sessions. */
export function dashboard(pki: Pki, providers: LoadProviders | undefined): Site {
  let opened: Promise<Site> | undefined
  return {
    path: PATH,
    api: `${PATH}/api`,
    async answer(request) {
      opened ??= open()
      return (await opened).answer(request)
    },
  }

  async function open(): Promise<Site> {
    const [{ openSite }, known] = await Promise.all([import('@homeostat/dashboard'), providers?.()])
    return openSite({ ...secretsOf(pki), providers: known })
  }
}

/** A new signing key ends all sessions. */
function secretsOf({ tokenKeys, caCertificate }: Pki) {
  const [signing] = tokenKeys
  if (signing === undefined) throw new Error('the server has no key for tokens')
  const key = signing.export({ type: 'pkcs8', format: 'der' })
  const secret = createHash('sha256').update('homeostat dashboard').update(key).digest()
  const server = createHash('sha256').update(caCertificate).digest('hex').slice(0, 8)
  return { secret, server }
}
