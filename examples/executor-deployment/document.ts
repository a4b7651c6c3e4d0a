// Reads the JSON documents of the example: from the working directory, else from this folder.

import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ApiObject } from '@homeostat/client'

export interface Document extends ApiObject {
  spec?: Record<string, unknown>
}

/** `folder` is the working directory of the command. */
export function readDocument(file: string, folder: string): Document {
  const path = [resolve(folder, file), join(import.meta.dirname, file)].find((one) => existsSync(one))
  if (path === undefined) throw new Error(`there is no file ${file}`)
  let document: Partial<Document>
  try {
    document = JSON.parse(readFileSync(path, 'utf8')) as Partial<Document>
  } catch (cause) {
    throw new Error(`${file} is not JSON: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
  const { apiVersion, kind, metadata } = document
  if (!apiVersion || !kind || !metadata?.name) {
    const fields = { apiVersion, kind, 'metadata.name': metadata?.name }
    const missing = Object.entries(fields).filter(([, value]) => !value)
    throw new Error(`${file} is no resource: it has no ${missing.map(([name]) => name).join(', ')}`)
  }
  return { ...document, apiVersion, kind, metadata }
}
