// Options of `homeostat up` that say which credentials the server accepts besides its own. A part of the table in
// option-table.ts; server/authentication.ts reads the files they name.

import { option } from './option.ts'
import { optional, path, text } from './value-type.ts'

export const authenticationOptions = {
  'authentication-config': option(
    optional(path('FILE')),
    undefined,
    'AuthenticationConfiguration with issuers of JWTs, as of Kubernetes; read again when it changes.',
    { env: 'HOMEOSTAT_AUTHENTICATION_CONFIG' },
  ),
  'token-auth-file': option(
    optional(path('FILE')),
    undefined,
    'Static tokens, a line each: token,user,uid,"group1,group2". Read again when it changes.',
    { env: 'HOMEOSTAT_TOKEN_AUTH_FILE' },
  ),
  'oidc-issuer-url': option(
    optional(text('URL')),
    undefined,
    'Issuer whose ID tokens are accepted; with --oidc-client-id the short form of --authentication-config.',
    { env: 'HOMEOSTAT_OIDC_ISSUER_URL' },
  ),
  'oidc-client-id': option(optional(text('ID')), undefined, 'Audience that its tokens must name.', {
    env: 'HOMEOSTAT_OIDC_CLIENT_ID',
  }),
  'oidc-username-claim': option(optional(text('CLAIM')), undefined, "Claim with the user's name. Default: sub.", {
    env: 'HOMEOSTAT_OIDC_USERNAME_CLAIM',
  }),
  'oidc-username-prefix': option(
    optional(text('PREFIX')),
    undefined,
    'Stands before the name; - is none. Default: the URL and #, or none for the claim email.',
    { env: 'HOMEOSTAT_OIDC_USERNAME_PREFIX' },
  ),
  'oidc-groups-claim': option(optional(text('CLAIM')), undefined, "Claim with the user's groups. Default: no groups.", {
    env: 'HOMEOSTAT_OIDC_GROUPS_CLAIM',
  }),
  'oidc-groups-prefix': option(optional(text('PREFIX')), undefined, 'Stands before each group. Default: none.', {
    env: 'HOMEOSTAT_OIDC_GROUPS_PREFIX',
  }),
  'oidc-ca-file': option(
    optional(path('FILE')),
    undefined,
    "Authority of the issuer's certificate, PEM. Default: those that Node trusts.",
    { env: 'HOMEOSTAT_OIDC_CA_FILE' },
  ),
}
