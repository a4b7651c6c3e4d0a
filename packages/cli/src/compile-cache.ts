// Node's compile cache for the installed command: `up` is ready after three quarters of the time. The cache holds code that
// this process runs, so it lives in a folder that no other user can write to or replace; where there is none, the command
// starts without it. `main.ts` calls it before it loads anything, so that this file must import nothing of ours.

import { existsSync, lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { enableCompileCache, getCompileCacheDir } from 'node:module'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'

/** NODE_COMPILE_CACHE names another folder, NODE_DISABLE_COMPILE_CACHE=1 turns it off; Node reads both itself. */
export function useCompileCache(env: NodeJS.ProcessEnv): void {
  if (getCompileCacheDir() !== undefined) return
  const home = cacheHome(env)
  const folder = home === undefined ? undefined : privateFolder(home)
  if (folder !== undefined) enableCompileCache(join(folder, 'compile-cache'))
}

/** As the XDG base directories are found: a relative path counts as absent. */
function cacheHome({ XDG_CACHE_HOME = '' }: NodeJS.ProcessEnv): string | undefined {
  if (isAbsolute(XDG_CACHE_HOME)) return XDG_CACHE_HOME
  try {
    return join(homedir(), '.cache')
  } catch {
    // A user that the machine has no entry of, as in containers that run with any number.
    return undefined
  }
}

/** The folder `homeostat` in this one, made if it is missing; undefined when somebody else may change what is in it. */
export function privateFolder(parent: string, user = process.geteuid?.()): string | undefined {
  // Where users have no numbers, a folder does not say who can write to it.
  if (user === undefined) return undefined
  try {
    // Looked at before anything is made: a command that root runs must leave nothing in a user's home.
    if (!isFixed(realpathSync(nearestFolder(parent)), user)) return undefined
    mkdirSync(join(parent, 'homeostat'), { recursive: true, mode: 0o700 })
    const folder = join(realpathSync(parent), 'homeostat')
    const found = lstatSync(folder)
    return found.isDirectory() && found.uid === user && (found.mode & 0o077) === 0 ? folder : undefined
  } catch {
    return undefined
  }
}

/** The folder itself, or the lowest above it that exists. */
function nearestFolder(folder: string): string {
  return existsSync(folder) ? folder : nearestFolder(dirname(folder))
}

/** Whether only this user and root can rename what is in the folder, and so with all folders above it. */
function isFixed(folder: string, user: number): boolean {
  const { mode, uid } = lstatSync(folder)
  const isShared = (mode & 0o022) !== 0
  const isSticky = (mode & 0o1000) !== 0
  if ((uid !== user && uid !== 0) || (isShared && !isSticky)) return false
  return folder === dirname(folder) || isFixed(dirname(folder), user)
}
