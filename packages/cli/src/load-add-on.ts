// Loads the add-ons that `homeostat up --with MODULE` names: imports the module and checks its default export.

import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AddOn } from '@homeostat/apiserver/add-on'
import { messageOf } from '@homeostat/base'
import { Fault } from './fault.ts'

export async function loadAddOn(module: string): Promise<AddOn> {
  const url = locate(module)
  const loaded = await importModule(module, url)
  const addOn = (loaded as { default?: unknown }).default
  if (!isAddOn(addOn)) {
    throw new Fault(
      `--with ${module}: its default export must be { name, definitions?, objects?, extensions?, rules?, wakes?, start? }`,
    )
  }
  return addOn
}

/** A file or a folder relative to the working directory, else a package. */
function locate(module: string): string {
  const path = resolve(module)
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) return pathToFileURL(path).href
    const index = ['index.ts', 'index.js', 'index.mjs'].map((name) => join(path, name)).find((file) => existsSync(file))
    if (index === undefined) throw new Fault(`--with ${module}: the folder has no index.ts, index.js or index.mjs`)
    return pathToFileURL(index).href
  }
  try {
    return pathToFileURL(createRequire(join(process.cwd(), 'package.json')).resolve(module)).href
  } catch (cause) {
    throw new Fault(`--with ${module}: there is no such file, folder or package`, { cause })
  }
}

async function importModule(module: string, url: string): Promise<unknown> {
  try {
    // The user's own module, known only by its URL.
    return await import(url)
  } catch (cause) {
    throw new Fault(`--with ${module}: it cannot be loaded: ${messageOf(cause)}`, {
      cause,
    })
  }
}

function isAddOn(value: unknown): value is AddOn {
  if (typeof value !== 'object' || value === null || !('name' in value) || typeof value.name !== 'string') return false
  const { access, definitions, extensions, rules, wakes, objects, start } = value as { [K in keyof AddOn]?: unknown }
  const lists = [access, definitions, extensions, rules, wakes].every(
    (list) => list === undefined || Array.isArray(list),
  )
  return lists && [objects, start].every((part) => part === undefined || typeof part === 'function')
}
