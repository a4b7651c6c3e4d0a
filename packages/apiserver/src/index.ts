export {
  issuerOfFlags,
  type OidcFlags,
  readAuthenticationConfiguration,
} from './authn/oidc/authentication-configuration.ts'
export type { AuthenticationSettings } from './authn/settings.ts'
export { readTokenFile, type StaticToken } from './authn/static-tokens.ts'
export type { CachedObject } from './cache/cached-object.ts'
export type { Site, SiteAnswer, SiteRequest } from './http/site.ts'
export type { HandshakeLimits } from './http/tls/handshake-gate.ts'
export type { TlsIdentity } from './http/tls/tls-identity.ts'
export type { ResourceAttributes } from './identity/resource-attributes.ts'
export type { User } from './identity/user.ts'
export type { AdmissionStep, AdmittedWrite, Operation } from './registry/admission-step.ts'
export type { Api, ObjectChange, ObjectName, ResourceName } from './registry/api.ts'
export type { ApiExtension, ExtensionAnswer, ExtensionRequest } from './registry/api-extension.ts'
export type { DeclaredRule } from './registry/declared-rule.ts'
export type { Wake } from './registry/first-of.ts'
export type { TypeRules, WriteRules } from './registry/type-rules.ts'
export type { WriteEnd } from './registry/write-end.ts'
export type { ApiServer, LocalAccount, SecurePort } from './server/api-server.ts'
export type { ApiServerOptions, SecureOptions } from './server/options.ts'
export { startApiServer } from './server.ts'
