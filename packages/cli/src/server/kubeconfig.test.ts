import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, test } from 'vitest'
import { writeKubeconfig } from './kubeconfig.ts'

test('the file is replaced whole and only its owner may read it', () => {
  const directory = temporaryFolder()
  writeFileSync(join(directory, 'kubeconfig'), 'old', { mode: 0o644 })
  const file = writeKubeconfig(directory, 'http://127.0.0.1:3000')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).toContain('server: "http://127.0.0.1:3000"')
  expect(readdirSync(directory)).toEqual(['kubeconfig'])
})
