import { describe, expect, it } from 'vitest'
import { builtinGadget, gadgetType, tableOf } from '../discovery/gadget.fixture.ts'
import { landing } from './landing.ts'
import { versionInfo } from './version.ts'

const applications = gadgetType({ group: 'cloudnative.elide.dev', kind: 'Application', resource: 'applications' })
const configMaps = builtinGadget({ group: '', kind: 'ConfigMap', resource: 'configmaps' })

describe('the landing page', () => {
  const page = landing(tableOf(applications, configMaps), ['/livez/ping'])

  it('says what this is', () => {
    expect(page).toMatchObject({ name: 'homeostat', version: 'v1.35.8+homeostat' })
  })

  it('lists what a person can try, with every custom resource', () => {
    const lines = page.endpoints.map(({ method, path }) => `${method} ${path}`)
    const collection = '/apis/cloudnative.elide.dev/v1/namespaces/{namespace}/applications'
    expect(lines).toEqual(
      expect.arrayContaining([
        'GET /',
        'GET /healthz',
        'GET /crd',
        'GET /watch',
        'GET /events',
        `GET ${collection}`,
        `POST ${collection}`,
        `GET ${collection}/{name}`,
        `PUT ${collection}/{name}`,
        `DELETE ${collection}/{name}`,
      ]),
    )
    expect(lines.join()).not.toContain('configmaps')
  })

  it('has every path once and sorted, as Kubernetes lists them', () => {
    expect(page.paths).toEqual([...new Set(page.paths)].sort())
    expect(page.paths).toEqual(
      expect.arrayContaining([
        '/api',
        '/api/v1',
        '/apis',
        '/apis/cloudnative.elide.dev',
        '/apis/cloudnative.elide.dev/v1',
        '/livez/ping',
        '/metrics',
        '/openapi/v3/api/v1',
        '/version',
      ]),
    )
  })
})

describe('the version', () => {
  it('is that of the API served, with a platform in Go words', () => {
    const version = versionInfo({ commit: 'abc', date: '2030-01-01T00:00:00Z' })
    expect(version).toMatchObject({
      major: '1',
      minor: '35',
      gitVersion: 'v1.35.8+homeostat',
      gitCommit: 'abc',
      gitTreeState: 'clean',
      buildDate: '2030-01-01T00:00:00Z',
      goVersion: `node${process.version}`,
    })
    expect(version.platform).toMatch(/^(linux|darwin|windows)\/(amd64|arm64)$/)
  })
})
