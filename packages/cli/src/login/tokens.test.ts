import { describe, expect, it } from 'vitest'
import { withLogin } from './kubeconfig-user.ts'
import { cacheName, issuerProblem, type LoginRequest, scopesFor } from './login-request.ts'
import { readTokens } from './tokens.ts'

const expected = { issuer: 'https://i.example', clientId: 'cli', nonce: 'n' }
const jwt = (claims: object) => `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`
const good = { iss: 'https://i.example', aud: 'cli', exp: 10, nonce: 'n' }

describe('the tokens of an answer', () => {
  it('are those of this login', () => {
    const body = { id_token: jwt({ ...good, aud: ['other', 'cli'] }), refresh_token: 'r' }
    expect(readTokens(body, expected)).toEqual({ idToken: body.id_token, expiresAt: 10_000, refreshToken: 'r' })
    expect(readTokens({ id_token: body.id_token }, expected, 'former').refreshToken).toBe('former')
  })

  it.each([
    [{}, 'gave no ID token'],
    [{ id_token: 'text' }, 'no JWT'],
    [{ id_token: jwt({ ...good, iss: 'https://j.example' }) }, 'not of https://i.example'],
    [{ id_token: jwt({ ...good, aud: 'other' }) }, 'not for the client cli'],
    [{ id_token: jwt({ ...good, nonce: 'm' }) }, 'another login'],
    [{ id_token: jwt({ ...good, exp: 'soon' }) }, 'has no end'],
  ])('are refused in %j', (body, message) => {
    expect(() => readTokens(body, expected)).toThrow(message)
  })
})

const request: LoginRequest = {
  issuer: 'https://i.example',
  clientId: 'cli',
  scopes: undefined,
  authorityFile: undefined,
  device: false,
}

describe('a request to log in', () => {
  it.each([
    ['https://i.example/realm', undefined],
    ['nonsense', 'this is no URL'],
    ['http://i.example', 'an issuer has an https URL'],
    ['https://a:b@i.example', 'the URL of an issuer holds no user'],
    ['https://i.example?x=1', 'the URL of an issuer has neither a query nor a fragment'],
  ])('knows whether %s can be an issuer', (url, problem) => {
    expect(issuerProblem(url)).toBe(problem)
  })

  it('asks for what the issuer knows, and for exactly what it is told', () => {
    expect(scopesFor(request, ['openid', 'email', 'more'])).toEqual(['openid', 'email'])
    expect(scopesFor(request, undefined)).toEqual(['openid', 'offline_access'])
    expect(scopesFor({ scopes: ['groups'] }, ['openid'])).toEqual(['openid', 'groups'])
  })

  it('has a cache of its own for each issuer, client and scopes', () => {
    const names = [
      request,
      { ...request, clientId: 'x' },
      { ...request, issuer: 'https://j' },
      { ...request, scopes: ['a'] },
    ]
    expect(new Set(names.map(cacheName)).size).toBe(4)
    expect(cacheName({ ...request, device: true })).toBe(cacheName(request))
  })
})

describe('a kubeconfig with a login', () => {
  const text = `# mine
apiVersion: v1
kind: Config
clusters: [{ name: c, cluster: { server: "https://h:6443" } }]
contexts: [{ name: old, context: { cluster: c, user: admin, namespace: dev } }]
current-context: old
users: [{ name: admin, user: { token: t } }]
`

  it('has one user and one context more, however often one logs in, and keeps the rest', () => {
    const once = withLogin(text, 'f', 'oidc', request)
    expect(once).toContain('# mine')
    expect(once).toContain('token: t')
    expect(once).toContain('current-context: oidc')
    const again = withLogin(once, 'f', 'oidc', { ...request, device: true })
    expect(again.match(/name: oidc/g)).toHaveLength(2)
    expect(again).toContain('--device')
    expect(again).toMatch(/namespace: dev[\s\S]*namespace: dev/)
  })

  it.each([
    ['', 'it is empty'],
    ['a: [', 'is no kubeconfig'],
    ['apiVersion: v1\nkind: Config\n', 'kubectl config set-cluster'],
    ['clusters: [{name: a}, {name: b}]\n', 'names no server'],
  ])('needs a server to log in to: %j', (config, message) => {
    expect(() => withLogin(config, 'f', 'oidc', request)).toThrow(message)
  })
})
