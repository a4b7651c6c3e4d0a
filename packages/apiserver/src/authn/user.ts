// Who makes a request. Authentication makes it; the registry notes it, reviews answer by it.

export interface User {
  readonly username: string
  readonly uid?: string
  readonly groups: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** That group may do everything. Nobody else may do anything. */
export const MASTERS = 'system:masters'

/** Everyone who reaches the server over loopback and claims to be nobody else. */
export const ADMINISTRATOR: User = { username: 'system:admin', groups: [MASTERS, 'system:authenticated'] }
