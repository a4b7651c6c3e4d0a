import { describe, expect, it } from 'vitest'
import { engineSocket, unreachable } from './engine-socket.ts'

describe('the socket of the engine', () => {
  it.each([
    [undefined, undefined, '/var/run/docker.sock'],
    [undefined, '', '/var/run/docker.sock'],
    [undefined, 'unix:///run/user/1000/docker.sock', '/run/user/1000/docker.sock'],
    ['/tmp/d.sock', 'unix:///elsewhere', '/tmp/d.sock'],
    ['unix:///tmp/d.sock', undefined, '/tmp/d.sock'],
  ])('given %s with DOCKER_HOST=%s is %s', (given, host, expected) => {
    expect(engineSocket(given, host)).toBe(expected)
  })

  it.each([
    [undefined, 'tcp://10.0.0.1:2375', 'DOCKER_HOST=tcp://10.0.0.1:2375: Docker is reached over a unix socket'],
    [undefined, 'ssh://me@there', 'DOCKER_HOST=ssh://me@there'],
    ['docker.sock', undefined, 'docker.sock: Docker is reached'],
  ])('given %s with DOCKER_HOST=%s is refused', (given, host, message) => {
    expect(() => engineSocket(given, host)).toThrow(message)
  })
})

describe('an engine that cannot be reached', () => {
  it.each([
    ['ENOENT', 'there is no such socket; start the Docker daemon, or say where it listens with DOCKER_HOST'],
    ['ECONNREFUSED', 'nobody listens there; start the Docker daemon'],
    ['EACCES', 'this user may not; add it to the group docker'],
    ['EPIPE', 'write EPIPE'],
  ])('because of %s says what to do', (code, advice) => {
    const cause = Object.assign(new Error(`write ${code}`), { code })
    const error = unreachable('/run/d.sock', cause)
    expect(error.message).toContain(`cannot reach Docker at /run/d.sock: ${advice}`)
    expect(error.cause).toBe(cause)
  })
})
