// A data directory that this process must not touch is refused in one line.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, test } from 'vitest'
import { homeostat } from '../command-line.ts'
import { FaultyServer } from './faulty-server.ts'

test('a directory in use is refused, and the server that uses it does not notice', async () => {
  const server = await FaultyServer.start()
  await server.create('mine')
  const { code, stderr } = await homeostat('up', '--port', '0', '--data-dir', server.directory)
  expect(code).toBe(1)
  expect(stderr).toMatch(/^homeostat: .*in use by another Homeostat process.*\n$/)
  expect((await server.create('still')).code).toBe(201)
  expect(await server.names()).toEqual(['mine', 'still'])
})

test('a format of another time is refused, and a file that is no store', async () => {
  const server = await FaultyServer.start()
  await server.create('old')
  await server.close()
  const file = join(server.directory, 'homeostat.db')
  const db = new DatabaseSync(file)
  db.exec("UPDATE meta SET value = 99 WHERE name = 'format'")
  db.close()
  const future = await homeostat('up', '--port', '0', '--data-dir', server.directory)
  expect(future).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^homeostat: .*has format 99.*reads format 1.*\n$/),
  })

  const directory = temporaryFolder()
  writeFileSync(join(directory, 'homeostat.db'), 'this is a letter, not a database\n'.repeat(200))
  const letter = await homeostat('up', '--port', '0', '--data-dir', directory)
  expect(letter).toMatchObject({ code: 1, stderr: expect.stringMatching(/^homeostat: .*homeostat\.db.*\n$/) })
})
