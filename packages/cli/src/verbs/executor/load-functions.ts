// Loads the functions of the module that --module names.

import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf } from '@homeostat/base'
import type { ExecutorFunction } from '@homeostat/executor'
import { Fault } from '../../fault.ts'

export async function loadFunctions(file: string): Promise<Readonly<Record<string, ExecutorFunction>>> {
  const functions = (await load(file)).default
  const isRecord = typeof functions === 'object' && functions !== null && !Array.isArray(functions)
  const entries = isRecord ? Object.entries(functions) : []
  if (entries.length === 0 || entries.some(([, one]) => typeof one !== 'function')) {
    throw new Fault(`--module ${file}: its default export must be { NAME: async (context) => ... }`)
  }
  return Object.fromEntries(entries)
}

async function load(file: string): Promise<{ default?: unknown }> {
  try {
    // The user's own file, known only by its path.
    return await import(pathToFileURL(resolve(file)).href)
  } catch (cause) {
    const why = messageOf(cause)
    throw new Fault(`--module ${file}: it cannot be loaded: ${why}`, { cause })
  }
}
