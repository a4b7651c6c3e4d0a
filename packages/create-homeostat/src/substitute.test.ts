import { describe, expect, it } from 'vitest'
import type { Project } from './project.ts'
import { substitute } from './substitute.ts'

const project: Project = { folder: '/f', name: 'shop', template: 'functional', kind: 'Shop', group: 'ex.io' }

describe('substitute', () => {
  it.each([
    ['Website', 'Website website website website'],
    ['BookShop', 'BookShop bookShop book-shop bookshop'],
    ['HTTPRoute', 'HTTPRoute httpRoute http-route httproute'],
    ['DNS', 'DNS dns dns dns'],
    ['S3Bucket', 'S3Bucket s3Bucket s3-bucket s3bucket'],
    ['V2', 'V2 v2 v2 v2'],
  ])('writes %s in every way in which a template writes its kind', (kind, words) => {
    expect(substitute('WebSite webSite web-site website', { ...project, kind }, '1.0.0')).toBe(words)
  })

  it('puts in the names of the project and the version of the packages', () => {
    const text = '"name": "my-operator", "x": "^0.0.0-own" example.com/v1'
    expect(substitute(text, project, '1.2.3')).toBe('"name": "shop", "x": "^1.2.3" ex.io/v1')
  })

  it('does not look for names in what it has put in', () => {
    const strange = { ...project, name: 'website', kind: 'MyWebSite', group: 'my-operator.example.com' }
    expect(substitute('my-operator WebSite example.com', strange, '1.0.0')).toBe(
      'website MyWebSite my-operator.example.com',
    )
  })
})
