import { expect, it } from 'vitest'
import { readTokenFile, StaticTokens } from './static-tokens.ts'

const HERE = ['here']
const FILE = `# tokens of this team
s3cret,ada,u-1,"staff, on-call"
other , bob,u-2

"with,comma and ""quotes""",cleo,,staff
`

it('a token stands for its user, uid and groups', () => {
  const tokens = new StaticTokens(readTokenFile(FILE), HERE)
  const groups = ['staff', 'on-call', 'system:authenticated']
  expect(tokens.recognise('s3cret', HERE)).toEqual({ user: { username: 'ada', uid: 'u-1', groups }, audiences: HERE })
  const bob = { username: 'bob', uid: 'u-2', groups: ['system:authenticated'] }
  expect(tokens.recognise('other', HERE)).toEqual({ user: bob, audiences: HERE })
  const cleo = { username: 'cleo', groups: ['staff', 'system:authenticated'] }
  expect(tokens.recognise('with,comma and "quotes"', HERE)).toEqual({ user: cleo, audiences: HERE })
})

it.each(['', 's3cre', 's3cret ', 'S3CRET', 'ada', '# tokens of this team'])('%j is no token', (text) => {
  expect(new StaticTokens(readTokenFile(FILE), HERE).recognise(text, HERE)).toBeUndefined()
})

it('a review for another audience is refused', () => {
  expect(new StaticTokens(readTokenFile(FILE), HERE).recognise('s3cret', ['vault'])).toBeTypeOf('string')
})

it.each([
  ['a,b', 'line 1: needs a token, a user name and a uid'],
  ['ok,ok,1\n,b,c', 'line 2: the token is empty'],
  ['a,,c', 'line 1: the user name is empty'],
  ['a,b,c\na,d,e', 'line 2: the token stands in the file already'],
  ['a"b,c,d', 'line 1: a quote is out of place'],
  ['"a,b,c', 'line 1: a quote is out of place'],
])('%j is refused with its line', (text, message) => {
  expect(() => readTokenFile(text)).toThrow(message)
})
