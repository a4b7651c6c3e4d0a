import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import type { Verdict } from './handshake.ts'
import { type AskedServer, serverForOthers } from './server-for-others.ts'

const CA = 'the own authority'

/** A network in which handshakes end as the table says: by the server, and `+` with the own authority. */
async function asked(parts: Partial<AskedServer>, verdicts: Record<string, Verdict> = {}, addresses: string[] = []) {
  const lines: string[] = []
  const found = await serverForOthers(
    { url: 'https://127.0.0.1:6443', ca: CA, address: undefined, authorityFile: undefined, ...parts },
    { error: (text: string) => void lines.push(text) },
    {
      addresses: async () => addresses,
      handshake: async (server, ca) => verdicts[ca === undefined ? server : `${server}+`] ?? 'unreachable',
    },
  )
  return { ...found, error: lines.join('') }
}

describe('without an address', () => {
  it('the first address of this machine that shows the certificate is named', async () => {
    const verdicts = {
      'https://172.17.0.1:6443+': 'refused',
      'https://10.0.0.7:6443+': 'verified',
      'https://[fd00::7]:6443+': 'verified',
    } as const
    const server = 'https://10.0.0.7:6443'
    expect(await asked({}, verdicts, ['192.0.2.9', '172.17.0.1', '10.0.0.7', 'fd00::7'])).toEqual({
      server,
      ca: CA,
      error: `names the server ${server}; choose another address with --address\n`,
    })
    expect(await asked({}, verdicts, ['fd00::7'])).toMatchObject({ server: 'https://[fd00::7]:6443' })
  })

  it('a server that only this machine reaches is named as it is, with a warning', async () => {
    const found = await asked({}, {}, ['10.0.0.7'])
    expect(found).toMatchObject({ server: 'https://127.0.0.1:6443', ca: CA })
    expect(found.error).toContain('--address')
    expect(await asked({ url: 'https://[::1]:6443' })).toMatchObject({ error: expect.stringContaining('--address') })
  })

  it('a certificate that has no address is asked for by its name', async () => {
    expect(await asked({ serverName: 'localhost' })).toMatchObject({ server: 'https://localhost:6443' })
  })

  it('a server that was reached from elsewhere, and plain HTTP, stay as they are', async () => {
    const elsewhere = 'https://lab.example'
    expect(await asked({ url: elsewhere }, {}, ['10.0.0.7'])).toEqual({ server: elsewhere, ca: CA, error: '' })
    const plain = 'http://127.0.0.1:3000'
    expect(await asked({ url: plain }, {}, ['10.0.0.7'])).toEqual({ server: plain, ca: undefined, error: '' })
  })
})

describe('with an address', () => {
  const address = 'https://lab.example:6443'

  it.each([
    ['one of its own authority', { [`${address}+`]: 'verified' }, CA],
    ['one that clients trust anyway', { [`${address}+`]: 'refused', [address]: 'verified' }, undefined],
    ['one that is not reached from here', {}, CA],
  ] as [string, Record<string, Verdict>, string | undefined][])('%s is verified by that', async (_, verdicts, ca) => {
    expect(await asked({ address }, verdicts)).toEqual({ server: address, ca, error: '' })
  })

  it('a certificate that nobody could verify is refused, unless its authority is named', async () => {
    const verdicts = { [`${address}+`]: 'refused', [address]: 'refused' } as const
    await expect(asked({ address }, verdicts)).rejects.toThrow('--certificate-authority FILE')
    const authorityFile = join(temporaryFolder(), 'ca.crt')
    await expect(asked({ address, authorityFile })).rejects.toThrow('cannot be read (ENOENT)')
    writeFileSync(authorityFile, 'text')
    await expect(asked({ address, authorityFile })).rejects.toThrow('no certificate in PEM')
    const pem = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n'
    writeFileSync(authorityFile, pem)
    expect(await asked({ address, authorityFile }, verdicts)).toEqual({ server: address, ca: pem, error: '' })
  })

  it.each(['lab.example:6443', 'ftp://lab.example', 'https://', ''])('%j is refused', async (wrong) => {
    await expect(asked({ address: wrong })).rejects.toThrow('write it as https://HOST:PORT')
  })
})
