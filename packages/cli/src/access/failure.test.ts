import { expect, test } from 'vitest'
import { faultOf } from './failure.ts'

const failed = (code: string) => new Error(`GET /version: no response: write ${code}\n\n`, { cause: { code } })
const coded = (code: string) => Object.assign(failed(code), { code })

test.each<[string, Error, string | undefined, string]>([
  [
    'nothing listens',
    coded('ECONNREFUSED'),
    'http://127.0.0.1:1',
    'no server answers at http://127.0.0.1:1; start one with `homeostat up`, or name another with --server',
  ],
  [
    'the name is not known',
    coded('ENOTFOUND'),
    'http://no.such:1',
    'http://no.such:1: no address is known for no.such; check the name',
  ],
  [
    'there is no TLS',
    coded('EPROTO'),
    'https://127.0.0.1:1',
    'https://127.0.0.1:1: what listens there does not speak TLS; name it with http://',
  ],
  [
    'the kubeconfig is wrong',
    new Error('the kubeconfig has no context "x"'),
    undefined,
    'the kubeconfig has no context "x"; or name a server with --server URL',
  ],
])('%s: one line says what to do', (_, error, url, message) => {
  expect(faultOf(error, url)).toMatchObject({ name: 'Fault', message })
})
