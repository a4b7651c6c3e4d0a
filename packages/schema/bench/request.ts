// What one request costs in this package: prune, default and validate an object of about 1.3 KB.
// Run: node --conditions=homeostat-source packages/schema/bench/request.ts

import { compileSchema } from '../src/index.ts'

const text = { type: 'string', maxLength: 253 }
const schema = compileSchema(
  {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        required: ['replicas', 'image'],
        properties: {
          replicas: { type: 'integer', minimum: 0, maximum: 1000, default: 1 },
          image: { type: 'string', minLength: 1, maxLength: 200, pattern: '^[a-z0-9/:._-]+$' },
          strategy: { type: 'string', enum: ['RollingUpdate', 'Recreate'], default: 'RollingUpdate' },
          paused: { type: 'boolean', default: false },
          config: { type: 'object', additionalProperties: text },
          ports: {
            type: 'array',
            maxItems: 32,
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['port'],
            items: {
              type: 'object',
              required: ['port'],
              properties: { port: { type: 'integer', minimum: 1 }, name: text, protocol: { ...text, default: 'TCP' } },
            },
          },
          tags: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
          size: { 'x-kubernetes-int-or-string': true },
          limits: { type: 'object', properties: { cpu: text, memory: text } },
        },
      },
      status: {
        type: 'object',
        properties: {
          replicas: { type: 'integer' },
          conditions: {
            type: 'array',
            items: { type: 'object', properties: { type: text, status: text, reason: text, message: text } },
          },
        },
      },
    },
  },
  { root: 'custom-resource' },
)

const sample = (n: number) => ({
  apiVersion: 'example.com/v1',
  kind: 'App',
  metadata: { name: `app-${n}`, namespace: 'default', labels: { app: 'x', tier: 'web' }, uid: '0'.repeat(36) },
  spec: {
    replicas: 3,
    image: `registry.example.com/team/app:1.${n}.0`,
    strategy: 'RollingUpdate',
    paused: false,
    config: Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`KEY_${i}`, `value ${i} ${'y'.repeat(40)}`])),
    ports: [
      { port: 80, name: 'http', protocol: 'TCP' },
      { port: 443, name: 'https', protocol: 'TCP' },
    ],
    tags: ['a', 'b', 'c'],
    size: '50%',
    limits: { cpu: '500m', memory: '1Gi' },
  },
  status: {
    replicas: 3,
    conditions: [
      { type: 'Ready', status: 'True', reason: 'AllRunning', message: 'all replicas are running'.repeat(4) },
      { type: 'Progressing', status: 'False', reason: 'Done', message: 'the rollout is complete'.repeat(4) },
    ],
  },
})

const objects = Array.from({ length: 500 }, (_, n) => sample(n))
console.log(`object of ${JSON.stringify(objects[0]).length} bytes`)
const rounds = 400

function measure(name: string, work: (object: unknown) => unknown): void {
  for (let warm = 0; warm < 40; warm++) for (const object of objects) work(object)
  const started = process.cpuUsage().user
  for (let round = 0; round < rounds; round++) for (const object of objects) work(object)
  const each = (process.cpuUsage().user - started) / (rounds * objects.length)
  console.log(`${name.padEnd(28)} ${each.toFixed(2)} µs of CPU`)
}

measure('prune', (object) => schema.prune(object))
measure('defaults', (object) => schema.applyDefaults(object))
measure('validate', (object) => schema.validate(object))
measure('all three', (object) => {
  schema.prune(object)
  schema.applyDefaults(object)
  return schema.validate(object)
})
measure('validate an update', (object) => schema.validate(object, objects[0]))
