// Who may open a data directory, and which files are refused.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { set, text } from '../src/conformance/harness.ts'
import { openSqliteStore } from '../src/index.ts'
import { freshDirectory } from './fresh-directory.ts'

const writerProgram = fileURLToPath(new URL('./writer-program.ts', import.meta.url))

it('refuses a directory that another process uses, and says what to do', async () => {
  const directory = freshDirectory()
  const other = spawn(process.execPath, [writerProgram, directory], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void other.kill('SIGKILL'))
  await once(other.stdout, 'data')
  const error = await openSqliteStore({ directory }).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ message: expect.stringContaining(directory) })
  expect(error).toMatchObject({ message: expect.stringMatching(/another Homeostat process.*stop/) })
  other.kill('SIGKILL')
  await once(other, 'exit')
  await (await openSqliteStore({ directory })).close()
})

it('refuses a second store in the same process, and frees the directory on close', async () => {
  const directory = freshDirectory()
  const first = await openSqliteStore({ directory })
  await expect(openSqliteStore({ directory })).rejects.toThrow('in use')
  await first.close()
  await (await openSqliteStore({ directory })).close()
})

it('makes directory, data and backups for their owner alone', async () => {
  const root = freshDirectory()
  const directory = join(root, 'a', 'b')
  const store = await openSqliteStore({ directory })
  await set(store, 'a', 'one')
  await store.backup(join(root, 'copy'))
  const mode = async (path: string) => (await stat(path)).mode & 0o777
  expect(await mode(directory)).toBe(0o700)
  for (const file of ['homeostat.db', 'homeostat.db-wal']) expect(await mode(join(directory, file))).toBe(0o600)
  expect(await mode(join(root, 'copy'))).toBe(0o600)
  await store.close()
})

it('refuses a format it does not know, and leaves the file alone', async () => {
  const directory = freshDirectory()
  const store = await openSqliteStore({ directory })
  await set(store, 'a', 'one')
  await store.close()
  const setFormat = (format: number) => {
    const db = new DatabaseSync(join(directory, 'homeostat.db'))
    db.prepare("UPDATE meta SET value = ? WHERE name = 'format'").run(format)
    db.close()
  }
  setFormat(7)
  await expect(openSqliteStore({ directory })).rejects.toThrow(/has format 7.*reads format 1/)
  setFormat(1)
  const again = await openSqliteStore({ directory })
  expect(text((await again.get('a'))?.value)).toBe('one')
  await again.close()
})

it('refuses a file that is something else', async () => {
  const directory = join(freshDirectory(), 'data')
  await mkdir(directory)
  await writeFile(
    join(directory, 'homeostat.db'),
    'this is not a database, though it is long enough to be one'.repeat(40),
  )
  await expect(openSqliteStore({ directory })).rejects.toThrow(/not a database/)
  const other = freshDirectory()
  const db = new DatabaseSync(join(other, 'homeostat.db'))
  db.exec('CREATE TABLE somebody_elses (x)')
  db.close()
  await expect(openSqliteStore({ directory: other })).rejects.toThrow(/not a Homeostat store/)
})
