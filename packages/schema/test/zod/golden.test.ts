// With UPDATE_GOLDEN=1 in the environment the files are written anew.

import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { validateDefinitionSchema } from '../../src/with-cel.ts'
import { structuralSchema } from '../../src/zod/index.ts'
import { rows } from './rows.ts'

describe.each(Object.entries(rows))('%s', (name, schema) => {
  const made = structuralSchema(z.object({ value: schema }))

  it('becomes what its golden file has', () => {
    const file = new URL(`golden/${name}.json`, import.meta.url)
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`)
    expect(made).toEqual(JSON.parse(readFileSync(file, 'utf8')))
  })

  it('is accepted in a definition without a warning', () => {
    const root = { type: 'object', properties: { spec: made.schema } }
    expect(validateDefinitionSchema(root, '', { statusSubresource: true })).toEqual({ causes: [], warnings: [] })
  })
})
