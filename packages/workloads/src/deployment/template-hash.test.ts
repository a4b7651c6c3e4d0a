import { describe, expect, it } from 'vitest'
import { template } from './rollout.fixture.ts'
import { sameTemplate, templateHash } from './template-hash.ts'

describe('the hash of a template', () => {
  it('does not depend on the order of fields, nor on the hash it carries', () => {
    const one = { metadata: { labels: { a: '1', b: '2' } }, spec: { containers: [{ name: 'x', image: 'y' }] } }
    const other = {
      spec: { containers: [{ image: 'y', name: 'x' }] },
      metadata: { labels: { b: '2', a: '1', 'pod-template-hash': 'abc' } },
    }
    expect(templateHash(other)).toBe(templateHash(one))
    expect(sameTemplate(one, other)).toBe(true)
  })

  it('differs with the template, and with each collision', () => {
    const hashes = [templateHash(template('a')), templateHash(template('b')), templateHash(template('a'), 1)]
    expect(new Set(hashes).size).toBe(3)
    expect(sameTemplate(template('a'), template('b'))).toBe(false)
  })
})
