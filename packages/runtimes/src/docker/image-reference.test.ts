import { expect, test } from 'vitest'
import { imageReference, imageRegistry } from './image-reference.ts'

const DIGEST = `sha256:${'a'.repeat(64)}`

test.each([
  ['nginx', 'nginx', 'latest'],
  ['nginx:1.29', 'nginx', '1.29'],
  ['team/web:2', 'team/web', '2'],
  ['localhost:5000/web', 'localhost:5000/web', 'latest'],
  ['localhost:5000/team/web:3', 'localhost:5000/team/web', '3'],
  [`nginx@${DIGEST}`, 'nginx', DIGEST],
  [`localhost:5000/web:1@${DIGEST}`, 'localhost:5000/web', DIGEST],
])('%s is pulled as %s, %s', (image, name, tag) => {
  expect(imageReference(image)).toEqual({ name, tag })
})

test.each([
  ['web', 'docker.io'],
  ['team/web:1', 'docker.io'],
  ['docker.io/library/web', 'docker.io'],
  ['registry.example/team/web@sha256:00', 'registry.example'],
  ['localhost/web', 'localhost'],
  ['10.0.0.1:5000/web:1', '10.0.0.1:5000'],
])('%s is of the registry %s', (image, registry) => {
  expect(imageRegistry(image)).toBe(registry)
})
