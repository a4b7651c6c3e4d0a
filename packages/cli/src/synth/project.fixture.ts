// An author's project in a folder of its own, with the packages of this clone.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

export function projectFolder(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'homeostat-synth-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  symlinkSync(join(import.meta.dirname, '../../../../node_modules'), join(folder, 'node_modules'))
  const all = { 'package.json': '{"name": "shop-operator", "version": "1.2.3", "type": "module"}', ...files }
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

export const NOTE = `
import { operator } from '@homeostat/operator'
import { z } from 'zod'
export const note = operator(
  'ex.io/v1/Note',
  {
    spec: z.object({ text: z.string() }),
    access: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'] }],
  },
  async ({ child, spec }) => [child('v1', 'ConfigMap', { data: { text: spec.text } })],
)
`
