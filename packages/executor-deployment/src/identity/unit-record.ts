// Reads from the folder of an executor's identity what its renewal needs, so that a controller keeps no state beside it.

import { join } from 'node:path'
import { readCredential, tokenClaims } from '@homeostat/executor/credential'
import { ACCOUNT_FILES, type AccountReader, accountReader } from '@homeostat/runtimes/account-folder'

export interface UnitRecord {
  readonly namespace: string
  readonly name: string
  readonly type: string
  /** As the unit reaches it. */
  readonly server: string
  readonly reader: AccountReader
}

/** Undefined for a folder that is not whole: its unit was never started. */
export async function unitRecord(folder: string): Promise<UnitRecord | undefined> {
  const credential = readCredential(join(folder, ACCOUNT_FILES.config))
  if (credential === undefined) return undefined
  const { colony, executor, type, server } = credential
  return { namespace: colony, name: executor, type, server, reader: await accountReader(folder) }
}

/** After half of its life, so that a controller that is down for a while does no harm. */
export function isDue(token: string | undefined, now: number): boolean {
  const claims = token === undefined ? undefined : tokenClaims(token)
  return claims === undefined || now >= ((claims.issuedAt + claims.expiresAt) / 2) * 1000
}
