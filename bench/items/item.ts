// The object of every write: 1.3 KB of JSON, valid for the definition. `{n}` and `{k}` are filled in per request.

export const COLLECTION = '/apis/bench.example.com/v1/namespaces/bench/items'

/** `number` is the placeholder that names the object; `release` is what a patch changes. */
export function itemBody(number: '{n}' | '{k}', release: string): string {
  return JSON.stringify({
    apiVersion: 'bench.example.com/v1',
    kind: 'Item',
    metadata: {
      name: `item-${number}`,
      namespace: 'bench',
      labels: { 'app.kubernetes.io/name': 'storefront', 'app.kubernetes.io/part-of': 'shop', tier: 'web' },
      annotations: { 'bench.example.com/contact': 'storefront@example.com' },
    },
    spec: {
      image: 'registry.example.com/shop/storefront:2026.11.3',
      release,
      replicas: 3,
      paused: false,
      revisionHistoryLimit: 5,
      strategy: { type: 'RollingUpdate', maxSurge: '25%', maxUnavailable: 0 },
      ports: [
        { name: 'http', port: 8080, protocol: 'TCP' },
        { name: 'metrics', port: 9090, protocol: 'TCP' },
      ],
      env: [
        { name: 'LOG_LEVEL', value: 'info' },
        { name: 'DATABASE_URL', value: 'postgres://storefront@db.shop.svc:5432/storefront' },
        { name: 'CACHE_URL', value: 'redis://cache.shop.svc:6379/0' },
      ],
      resources: { requests: { cpu: '250m', memory: '256Mi' }, limits: { cpu: '1', memory: '512Mi' } },
      nodeSelector: { 'kubernetes.io/os': 'linux', zone: 'west-1' },
      tags: ['public', 'critical', 'checkout'],
      healthCheck: { path: '/healthz', intervalSeconds: 15, timeoutSeconds: 3, failureThreshold: 3 },
      owner: { team: 'storefront', email: 'storefront@example.com' },
      description:
        'Serves the pages of the shop. It reads the catalogue, keeps carts in the cache and hands orders to checkout. ' +
        'It has no state of its own, so that any number of copies may run.',
    },
  })
}
