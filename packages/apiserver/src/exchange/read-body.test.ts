import { isStatusError } from '@homeostat/meta'
import { expect, test } from 'vitest'
import { readJsonText } from './read-body.ts'

function refusal(text: string, kind?: string): string {
  try {
    readJsonText(text, kind)
  } catch (error) {
    if (isStatusError(error, 'BadRequest')) return error.message
    throw error
  }
  return ''
}

test('the error for a body that is not JSON names the expected kind and quotes the start of the body', () => {
  expect(refusal('apiVersion: v1\nkind: Pod\nmetadata: {}', 'Namespace')).toMatch(
    /^the object provided is unrecognized \(must be of type Namespace\): couldn't get version\/kind; json parse error: .* \(61706956657273696f6e3a2076310a6b696e643a20506f640a6d65746164 \.\.\.\)$/,
  )
  expect(refusal('{"kind":', 'Pod')).toMatch(/\(\{"kind":\)$/)
  expect(refusal('', 'Pod')).toMatch(/\(<empty>\)$/)
})

test('a body that is no object of a kind is only called invalid', () => {
  expect(refusal('[')).toMatch(/^the body is not valid JSON: /)
})
