import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePki, readPki } from '@homeostat/apiserver/keys'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, test } from 'vitest'
import { keyFilesIn, openPki } from '../../server/pki-folder.ts'
import { fakeTerminal, runOn } from '../../terminal.fixture.ts'

const run = (...argv: string[]) => runOn(fakeTerminal(), argv)

async function withKeys() {
  const directory = temporaryFolder()
  await openPki(directory, { makePki, readPki })
  return directory
}

test.each([[false], [true]])('keys are carried to another directory, encrypted: %s', async (encrypted) => {
  const [from, to] = [await withKeys(), temporaryFolder()]
  const file = join(temporaryFolder(), 'keys.json')
  const passphrase = join(temporaryFolder(), 'passphrase')
  writeFileSync(passphrase, 'open sesame\n', { mode: 0o600 })
  const more = encrypted ? ['--passphrase-file', passphrase] : []
  expect((await run('keys', 'export', file, '--data-dir', from, ...more)).code).toBe(0)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8').includes('PRIVATE KEY')).toBe(!encrypted)
  expect((await run('keys', 'import', file, '--data-dir', to, ...more)).out).toContain('delete the file')
  expect(keyFilesIn(to)).toEqual(keyFilesIn(from))
  expect((await run('keys', 'import', file, '--data-dir', to, ...more)).out).toContain('has these keys already')
  expect((await run('keys', 'export', file, '--data-dir', from)).error).toContain('exists already')
})

test('keys that others could read, that are damaged, or whose passphrase is wrong, are not taken over', async () => {
  const [from, to] = [await withKeys(), await withKeys()]
  const before = keyFilesIn(to)
  const folder = temporaryFolder({ right: 'right', wrong: 'wrong' })
  for (const name of ['right', 'wrong']) chmodSync(join(folder, name), 0o600)
  const file = join(folder, 'keys')
  await run('keys', 'export', file, '--data-dir', from, '--passphrase-file', join(folder, 'right'))
  const attempt = async (passphrase?: string) =>
    (
      await run(
        'keys',
        'import',
        file,
        '--data-dir',
        to,
        ...(passphrase ? ['--passphrase-file', join(folder, passphrase)] : []),
      )
    ).error
  expect(await attempt()).toContain('it is encrypted')
  expect(await attempt('wrong')).toContain('the passphrase is wrong')
  chmodSync(join(folder, 'right'), 0o640)
  expect(await attempt('right')).toContain(`run chmod go-rwx ${join(folder, 'right')}`)
  chmodSync(join(folder, 'right'), 0o600)
  chmodSync(file, 0o644)
  expect(await attempt('right')).toContain(`run chmod go-rwx ${file}`)
  chmodSync(file, 0o600)
  for (const text of ['', '{}', '{"kind":"HomeostatKeys","version":1,"files":{"ca.crt":"x"}}']) {
    writeFileSync(file, text)
    expect(await attempt()).toContain(file)
  }
  expect(keyFilesIn(to)).toEqual(before)
  expect(await attempt('right')).not.toBe('')
})

test('keys that are replaced are kept aside', async () => {
  const [from, to] = [await withKeys(), await withKeys()]
  const file = join(temporaryFolder(), 'keys')
  await run('keys', 'export', file, '--data-dir', from)
  const { out } = await run('keys', 'import', file, '--data-dir', to)
  expect(keyFilesIn(to)).toEqual(keyFilesIn(from))
  expect(readFileSync(join(/they are now in (\S+)/.exec(out)?.[1] ?? '', 'ca.key'), 'utf8')).toContain('PRIVATE KEY')
})
