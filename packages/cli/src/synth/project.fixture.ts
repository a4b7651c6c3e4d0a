// An author's project in a folder of its own, with the packages of this clone.

import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'

export function projectFolder(files: Readonly<Record<string, string>>): string {
  const manifest = '{"name": "shop-operator", "version": "1.2.3", "type": "module"}'
  const folder = temporaryFolder({ 'package.json': manifest, ...files })
  symlinkSync(join(import.meta.dirname, '../../../../node_modules'), join(folder, 'node_modules'))
  return folder
}

export const NOTE = `
import { operator } from '@homeostat/operator'
import { z } from 'zod'
export const note = operator(
  'ex.io/v1/Note',
  {
    spec: z.object({ text: z.string() }),
    children: ['v1/ConfigMap'],
  },
  async ({ child, spec }) => [child('v1', 'ConfigMap', { data: { text: spec.text } })],
)
`
