// The user who makes a request. Authentication sets it, the registry records it with each change, access reviews return it.

export interface User {
  readonly username: string
  readonly uid?: string
  readonly groups: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** The group that may do everything. */
export const MASTERS = 'system:masters'
export const AUTHENTICATED = 'system:authenticated'
export const UNAUTHENTICATED = 'system:unauthenticated'

/** The user of a request over loopback that carries no credentials. */
export const ADMINISTRATOR: User = { username: 'system:admin', groups: [MASTERS, AUTHENTICATED] }

/** The user of a request over TLS that carries no credentials. */
export const ANONYMOUS: User = { username: 'system:anonymous', groups: [UNAUTHENTICATED] }

/** The user as reviews show it, without empty fields. */
export function userInfo({ username, uid, groups, extra }: User): Record<string, unknown> {
  return {
    username,
    ...(uid !== undefined && uid !== '' && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(extra && Object.keys(extra).length > 0 && { extra }),
  }
}
