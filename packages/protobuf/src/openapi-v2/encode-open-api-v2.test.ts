import { describe, expect, it } from 'vitest'
import { encodeOpenApiV2 } from './encode-open-api-v2.ts'
import { yamlText } from './yaml-text.ts'

const swagger = {
  swagger: '2.0',
  info: { title: 'K', version: 'v1', contact: { name: 'n', email: 'e' }, license: { name: 'l' } },
  host: 'h',
  basePath: '/b',
  schemes: ['https'],
  consumes: ['application/json'],
  produces: ['application/json'],
  paths: {
    '/a': {
      parameters: [
        { $ref: '#/parameters/p' },
        { in: 'query', name: 'q', type: 'integer', uniqueItems: true, allowEmptyValue: true, minimum: 2.5 },
        { in: 'path', name: 'n', required: true, type: 'string', maxLength: 300 },
        { in: 'header', name: 'h', type: 'array', items: { type: 'string' } },
        { in: 'formData', name: 'f', type: 'string', pattern: '^a' },
      ],
      get: {
        tags: ['t'],
        operationId: 'getA',
        deprecated: true,
        security: [{ b: ['', 's'] }],
        parameters: [{ in: 'body', name: 'body', required: true, schema: { $ref: '#/definitions/A' } }],
        responses: {
          '200': { description: 'OK', schema: { type: 'file' }, headers: { X: { type: 'string', description: 'd' } } },
          '202': { description: 'é', schema: { $ref: '#/definitions/A' } },
          '401': { $ref: '#/responses/r' },
        },
      },
      patch: { responses: { '200': { description: 'OK' } } },
    },
  },
  definitions: {
    A: {
      type: ['object', 'null'],
      required: ['a'],
      properties: {
        a: { type: 'array', items: { type: 'string' }, maxItems: 3000000000 },
        m: { additionalProperties: { type: 'string' } },
        no: { additionalProperties: false },
        f: {
          multipleOf: -0.5,
          maximum: -1,
          exclusiveMinimum: true,
          readOnly: true,
          externalDocs: { url: 'u' },
          xml: { wrapped: true },
          allOf: [{ title: 'x' }, { format: 'y' }],
        },
      },
    },
  },
  parameters: { p: { in: 'query', name: 'p', type: 'boolean' } },
  responses: { r: { description: 'r' } },
  security: [{ b: [] }],
  securityDefinitions: {
    b: { type: 'apiKey', name: 'authorization', in: 'header', description: 'd' },
    c: { type: 'basic' },
  },
  tags: [{ name: 't', externalDocs: { url: 'u' } }],
  externalDocs: { url: 'u', description: 'd' },
}

/** What gnostic's own parser and marshaller make of the document above. */
const GNOSTIC = [
  'CgMyLjASFAoBSxICdjEqBgoBbhoBZTIDCgFsGgFoIgIvYioFaHR0cHMyEGFwcGxpY2F0aW9uL2pzb246EGFwcGxpY2F0aW9uL2pz',
  'b25C7wIS7AIKAi9hEuUCEq4BCgF0KgRnZXRBQiUKIwohEgRib2R5GgRib2R5IAEqEQoPIy9kZWZpbml0aW9ucy9BSmwKLAoDMjAw',
  'EiUKIwoCT0sSCBIGMgRmaWxlGhMKEQoBWBIMCgZzdHJpbmeSAQFkCiIKAzIwMhIbChkKAsOpEhMKEQoPIy9kZWZpbml0aW9ucy9B',
  'ChgKAzQwMRIREg8KDSMvcmVzcG9uc2VzL3JYAWIMCgoKAWISBQoACgFzQhFKDwoNCgMyMDASBgoECgJPS0oSEhAKDiMvcGFyYW1l',
  'dGVycy9wSicKJRIjGiESBXF1ZXJ5IgFxKAEyB2ludGVnZXJpAAAAAAAABECgAQFKHAoaEhgiFggBEgRwYXRoIgFuKgZzdHJpbmdw',
  'rAJKIgogEh4KHBIGaGVhZGVyIgFoKgVhcnJheToICgZzdHJpbmdKIAoeEhwSGhIIZm9ybURhdGEiAWYyBnN0cmluZ4oBAl5hSqIB',
  'Cp8BCgFBEpkBmgEBYbIBDgoGb2JqZWN0CgRudWxsygGAAQolCgFhEiBwgLzBlguyAQcKBWFycmF5ugENCguyAQgKBnN0cmluZwoV',
  'CgFtEhCqAQ0KC7IBCAoGc3RyaW5nCgsKAm5vEgWqAQIQAAozCgFmEi4xAAAAAAAA4L85AAAAAAAA8L9QAcIBAxoBeMIBAxIBedgB',
  'AeIBAigB6gEDEgF1Uh4KHAoBcBIXEhUaExIFcXVlcnkiAXAyB2Jvb2xlYW5aCgoICgFyEgMKAXJiBwoFCgFiEgBqOwopCgFiEiQS',
  'IgoGYXBpS2V5Eg1hdXRob3JpemF0aW9uGgZoZWFkZXIiAWQKDgoBYxIJCgcKBWJhc2ljcggKAXQaAxIBdXoGCgFkEgF1',
].join('')

describe('encodeOpenApiV2', () => {
  it('gives the bytes that gnostic gives, for every kind of parameter, response and schema', () => {
    expect(encodeOpenApiV2(swagger).toString('base64')).toBe(GNOSTIC)
  })

  it('writes values that may be anything as YAML, in blocks', () => {
    const kind = [{ group: '', kind: 'Pod', version: 'v1' }]
    const bytes = encodeOpenApiV2({
      definitions: { A: { default: {}, enum: ['a', 1], 'x-kubernetes-group-version-kind': kind } },
      paths: { 'x-other': true, '/a': { get: { 'x-kubernetes-action': 'get' } } },
    }).toString('latin1')
    const blocks = '- group: ""\n  kind: Pod\n  version: v1\n'
    for (const part of ['{}\n', 'a\n', '1\n', 'x-kubernetes-group-version-kind', blocks, 'get\n', 'true\n'])
      expect(bytes).toContain(`${String.fromCharCode(part.length)}${part}`)
  })

  it.each([
    [[{ fieldPath: 'spec.color' }, { fieldPath: 'spec.size' }], '- fieldPath: spec.color\n- fieldPath: spec.size\n'],
    [
      { a: { b: [1, [true, null]], c: [] } },
      'a:\n    b:\n        - 1\n        - - true\n          - null\n    c: []\n',
    ],
    [
      ['yes', '1', 'a: b', '- a', ' a', '#', 'é', '', 'a\nb'],
      '- "yes"\n- "1"\n- "a: b"\n- "- a"\n- " a"\n- "#"\n- "é"\n- ""\n- "a\\nb"\n',
    ],
  ])('%j', (value, text) => expect(yamlText(value)).toBe(text))

  it('leaves out what is not what the field should be', () => {
    expect(
      encodeOpenApiV2({ swagger: 2, info: null, paths: [], schemes: 'https', tags: [{}], host: '' }).toString('hex'),
    ).toBe('42007200')
  })
})
