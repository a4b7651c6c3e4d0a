import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, it } from 'vitest'
import { thirdPartyLicences } from './third-party-licences.ts'

function bundled(manifest: object, licence?: string): string {
  const folder = join(temporaryFolder(), 'node_modules/part')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'part', version: '1.0.0', ...manifest }))
  if (licence !== undefined) writeFileSync(join(folder, 'LICENSE'), licence)
  return join(folder, 'index.js')
}

it('has the licence that a package brings', () => {
  const text = thirdPartyLicences([bundled({ license: 'ISC' }, 'As you like.')])
  expect(text).toContain('part 1.0.0 (ISC)\n\nAs you like.\n')
})

it('has the text of MIT for a package that names it and its author', () => {
  const text = thirdPartyLicences([bundled({ license: 'MIT', author: 'Ada' })])
  expect(text).toContain('Copyright (c) Ada\n\nPermission is hereby granted')
})

it.each([{ license: 'Apache-2.0', author: 'Ada' }, { license: 'MIT' }, { author: 'Ada' }])(
  'refuses a package with %j and no file',
  (manifest) => {
    expect(() => thirdPartyLicences([bundled(manifest)])).toThrow('is bundled and has no licence')
  },
)
