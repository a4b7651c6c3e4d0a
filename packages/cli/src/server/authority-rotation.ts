// Rotates the certificate authority in the data directory, in two steps that a crash cannot leave half done. `begin` adds
// the next authority, certificate first; `finish` puts it in place of the old one, certificate first. So a certificate
// without its key is an unfinished beginning, and a key without its certificate an unfinished end.

import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { AuthorityFiles } from '@homeostat/apiserver/keys'
import { Fault } from '../fault.ts'
import { replaceDurable } from './durable-file.ts'

const CERTIFICATE = 'ca-next.crt'
const KEY = 'ca-next.key'

type NextFiles = Required<Pick<AuthorityFiles, typeof CERTIFICATE | typeof KEY>>

/** The next authority; nothing when none rotates. */
export function readNext(folder: string): Partial<NextFiles> {
  const [certificate, key] = [join(folder, CERTIFICATE), join(folder, KEY)]
  if (!existsSync(certificate) || !existsSync(key)) return {}
  return { [CERTIFICATE]: readFileSync(certificate, 'utf8'), [KEY]: readFileSync(key, 'utf8') }
}

/** Whether a step is under way, or was left half done. */
export function isBetweenSteps(folder: string): boolean {
  return existsSync(join(folder, CERTIFICATE)) !== existsSync(join(folder, KEY))
}

/** Ends a step that was left half done. */
export function settleRotation(folder: string): void {
  if (!isBetweenSteps(folder)) return
  if (existsSync(join(folder, KEY))) renameSync(join(folder, KEY), join(folder, 'ca.key'))
  else rmSync(join(folder, CERTIFICATE))
}

/** `folder` has the keys of a server. */
export function beginRotation(folder: string, next: NextFiles): void {
  settleRotation(folder)
  if (existsSync(join(folder, KEY)))
    throw new Fault('the authority rotates already; end that with: homeostat ca rotate --finish')
  replaceDurable(join(folder, CERTIFICATE), next[CERTIFICATE] as string)
  replaceDurable(join(folder, KEY), next[KEY] as string)
}

export function finishRotation(folder: string): void {
  settleRotation(folder)
  if (!existsSync(join(folder, KEY))) throw new Fault('the authority does not rotate; begin with: homeostat ca rotate')
  renameSync(join(folder, CERTIFICATE), join(folder, 'ca.crt'))
  renameSync(join(folder, KEY), join(folder, 'ca.key'))
}
