// Who makes a request. Authentication makes it; the registry notes it, reviews answer by it.

export interface User {
  readonly username: string
  readonly uid?: string
  readonly groups: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** That group may do everything; nobody else more than every cluster grants by default. */
export const MASTERS = 'system:masters'
export const AUTHENTICATED = 'system:authenticated'
export const UNAUTHENTICATED = 'system:unauthenticated'

/** Everyone who reaches the server over loopback and claims to be nobody else. */
export const ADMINISTRATOR: User = { username: 'system:admin', groups: [MASTERS, AUTHENTICATED] }

/** As reviews show a user: what is empty is left out. */
export function userInfo({ username, uid, groups, extra }: User): Record<string, unknown> {
  return {
    username,
    ...(uid !== undefined && uid !== '' && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(extra && Object.keys(extra).length > 0 && { extra }),
  }
}
