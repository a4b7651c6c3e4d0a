// The manifests of an AuthentikServer. Pure. Passwords are in none of them: pods refer to Secrets, and a digest in the
// template's annotations rolls the pods when a Secret changes.

const HTTP = 9000

export type Role = 'server' | 'worker'

export interface AuthentikManifestOptions {
  readonly name: string
  readonly spec: { readonly image: string; readonly replicas: Readonly<Record<Role, number>> }
  /** Of Authentik's own Secret. */
  readonly secretName: string
  /** Of the PostgresDatabase. */
  readonly databaseSecret: string
  readonly redis: { readonly host: string; readonly port: number; readonly secret?: string | undefined }
  /** Changes when one of the Secrets does. */
  readonly digest: string
}

export function childName(name: string, role: Role): string {
  return `${name}-${role}`
}

export function createDeploymentManifest(role: Role, options: AuthentikManifestOptions) {
  const labels = labelsOf(options.name, role)
  const ports = role === 'server' ? [{ name: 'http', containerPort: HTTP }] : []
  const probe = { httpGet: { path: '/-/health/ready/', port: HTTP } }
  return {
    spec: {
      replicas: options.spec.replicas[role],
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations: { 'homelab.mortenolsen.pro/secrets': options.digest } },
        spec: {
          containers: [
            {
              name: 'authentik',
              image: options.spec.image,
              args: [role],
              env: environmentOf(options),
              ports,
              ...(role === 'server' && { readinessProbe: probe }),
            },
          ],
        },
      },
    },
  }
}

export function createServiceManifest(name: string) {
  return {
    spec: { selector: labelsOf(name, 'server'), ports: [{ name: 'http', port: 80, targetPort: HTTP }] },
  }
}

/** Istio takes the certificate of an Ingress from the namespace of its gateway, where the Domain has put it. */
export function createIngressManifest(name: string, host: string, secretName: string) {
  const backend = { service: { name, port: { name: 'http' } } }
  return {
    spec: {
      ingressClassName: 'istio',
      tls: [{ hosts: [host], secretName }],
      rules: [{ host, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }],
    },
  }
}

export function endpointsOf(url: string) {
  const oauth = `${url}/application/o`
  return {
    url,
    sso: {
      authorize: `${oauth}/authorize/`,
      token: `${oauth}/token/`,
      userInfo: `${oauth}/userinfo/`,
      revoke: `${oauth}/revoke/`,
      introspect: `${oauth}/introspect/`,
      endSession: `${url}/if/session-end/`,
    },
  }
}

function labelsOf(name: string, role: Role): Record<string, string> {
  return {
    'app.kubernetes.io/name': 'authentik',
    'app.kubernetes.io/instance': name,
    'app.kubernetes.io/component': role,
  }
}

function environmentOf({ secretName, databaseSecret, redis }: AuthentikManifestOptions) {
  const from = (name: string, secret: string, key: string) => ({
    name: `AUTHENTIK_${name}`,
    valueFrom: { secretKeyRef: { name: secret, key } },
  })
  return [
    from('SECRET_KEY', secretName, 'secretKey'),
    from('BOOTSTRAP_PASSWORD', secretName, 'bootstrapPassword'),
    from('BOOTSTRAP_TOKEN', secretName, 'bootstrapToken'),
    from('POSTGRESQL__HOST', databaseSecret, 'host'),
    from('POSTGRESQL__PORT', databaseSecret, 'port'),
    from('POSTGRESQL__NAME', databaseSecret, 'database'),
    from('POSTGRESQL__USER', databaseSecret, 'user'),
    from('POSTGRESQL__PASSWORD', databaseSecret, 'password'),
    { name: 'AUTHENTIK_REDIS__HOST', value: redis.host },
    { name: 'AUTHENTIK_REDIS__PORT', value: String(redis.port) },
    ...(redis.secret === undefined ? [] : [from('REDIS__PASSWORD', redis.secret, 'password')]),
  ]
}
