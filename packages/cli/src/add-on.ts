// The contract of an add-on: a program inside the server with definitions, extensions and an identity.
// `homeostat up --with MODULE` imports the module and reads its default export.

import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Api, ApiExtension, ResourceName, TypeRules, Wake } from '@homeostat/apiserver'
import { type Log, type Metric, messageOf } from '@homeostat/base'
import type { Client } from '@homeostat/client'
import type { KubeObject } from '@homeostat/meta'
import { Fault } from './fault.ts'

export interface AddOn {
  readonly name: string
  /** CustomResourceDefinitions that the server creates or updates when it starts. */
  readonly definitions?: readonly KubeObject[]
  /** Objects that the server creates when it starts, unless they exist. */
  objects?(): Promise<readonly AddOnObject[]>
  /** Paths of the API that the add-on serves. */
  readonly extensions?: readonly ApiExtension[]
  /** Rules for writes to its kinds. */
  readonly rules?: readonly TypeRules[]
  /** The add-on starts with the first object of one of these resources; without `wakes`, with the server. */
  readonly wakes?: readonly Wake[]
  /** Runs until the signal aborts. After a failure it is started again. */
  start?(client: Client, signal: AbortSignal, inside: Inside): Promise<void>
}

export interface AddOnObject {
  readonly resource: ResourceName
  readonly object: KubeObject & { metadata: { name: string } }
}

/** What an add-on gets in addition to a client, because it runs in the server's process. */
export interface Inside {
  /** Reads and writes without a connection, as the add-on's own user and field manager. */
  readonly api: Api
  readonly log: Log
  /** Adds a metric to those of the server. */
  measure(metric: Metric): void
}

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
    return await import(url)
  } catch (cause) {
    throw new Fault(`--with ${module}: it cannot be loaded: ${messageOf(cause)}`, {
      cause,
    })
  }
}

function isAddOn(value: unknown): value is AddOn {
  if (typeof value !== 'object' || value === null || !('name' in value) || typeof value.name !== 'string') return false
  const { definitions, extensions, rules, wakes, objects, start } = value as { [K in keyof AddOn]?: unknown }
  const lists = [definitions, extensions, rules, wakes].every((list) => list === undefined || Array.isArray(list))
  return lists && [objects, start].every((part) => part === undefined || typeof part === 'function')
}
