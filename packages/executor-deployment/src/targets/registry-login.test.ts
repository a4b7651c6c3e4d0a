import { testEnv } from '@homeostat/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loginFor, registryLogin } from './registry-login.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')
const config = (auths: object) => JSON.stringify({ auths })

describe('the login for a registry', () => {
  const ada = { username: 'ada', password: 'p:w' }
  it.each([
    ['registry.example:5000', { 'registry.example:5000': ada }],
    ['registry.example', { 'https://registry.example/v2/': { auth: base64('ada:p:w') } }],
    ['docker.io', { 'https://index.docker.io/v1/': { auth: base64('ada:p:w') } }],
  ])('of %s is found in %j', (registry, auths) => {
    expect(loginFor(registry, config(auths))).toEqual(ada)
  })

  it.each([
    ['another registry', config({ 'registry.example.evil': ada })],
    ['the same host at another port', config({ 'registry.example:1': ada })],
    ['half a login', config({ 'registry.example': { username: 'ada' } })],
    ['no colon', config({ 'registry.example': { auth: base64('ada') } })],
    ['a list', '[]'],
    ['no JSON', '{'],
  ])('is not found in %s', (_, text) => {
    expect(loginFor('registry.example', text)).toBeUndefined()
  })
})

describe('Secrets with logins', () => {
  it('are tried in turn, and what is missing is named', async () => {
    const env = await testEnv()
    onTestFinished(() => env.close())
    const secrets = env.client.resource('v1', 'Secret')
    const secret = (name: string, data: Record<string, string>) =>
      secrets.create({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'default' }, data })
    await secret('other', { '.dockerconfigjson': base64(config({ 'x.example': { auth: base64('a:b') } })) })
    await secret('right', { '.dockerconfigjson': base64(config({ 'r.example': { auth: base64('ada:pw') } })) })
    await secret('empty', {})
    const login = (...names: string[]) => registryLogin(env.client, 'default', 'r.example/web:1', names)
    expect(await login()).toBeUndefined()
    expect(await login('other', 'right')).toEqual({ username: 'ada', password: 'pw' })
    await expect(login('other')).rejects.toThrow('no login for r.example in the Secrets other of default')
    await expect(login('empty')).rejects.toThrow('the Secret empty in default has no .dockerconfigjson')
    await expect(login('gone')).rejects.toThrow('there is no Secret gone in default')
  })
})
