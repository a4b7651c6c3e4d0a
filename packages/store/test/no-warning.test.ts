import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { freshDirectory } from './fresh-directory.ts'

it('prints nothing of its own, on any version of Node', async () => {
  const program = `
    import { openSqliteStore } from '@homeostat/store'
    await (await openSqliteStore({ directory: process.argv[1] })).close()
    process.emitWarning('kept', 'ExperimentalWarning')`
  const flags = ['--conditions=homeostat-source', '--input-type=module', '--eval', program]
  const options = { cwd: import.meta.dirname, env: { ...process.env, NODE_OPTIONS: '' } }
  const { stderr } = await promisify(execFile)(process.execPath, [...flags, freshDirectory()], options)
  expect(stderr).toMatch(/^\(node:\d+\) ExperimentalWarning: kept\n\(Use .*\)\n$/)
})
