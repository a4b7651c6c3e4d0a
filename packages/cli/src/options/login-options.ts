// Options of `homeostat login`. A part of the table in option-table.ts.

import { option } from './option.ts'
import { flag, list, optional, path, text } from './value-type.ts'

export const loginOptions = {
  issuer: option(optional(text('URL')), undefined, 'The OIDC issuer, as it stands in its tokens.', {
    env: 'HOMEOSTAT_LOGIN_ISSUER',
  }),
  'client-id': option(optional(text('ID')), undefined, 'The name by which the issuer knows this command.', {
    env: 'HOMEOSTAT_LOGIN_CLIENT_ID',
  }),
  device: option(flag, undefined, 'Shows a code to type on any machine, instead of opening a browser here.'),
  scope: option(
    list('NAME'),
    undefined,
    'What to ask for, besides openid. Default: what the issuer has of offline_access, profile, email, groups.',
  ),
  'issuer-ca': option(
    optional(path('FILE')),
    undefined,
    "Authority of the issuer's certificate, PEM. Default: those that Node trusts.",
  ),
  exec: option(flag, undefined, 'As a credential plugin: writes the token for kubectl, from the cache while it lasts.'),
  'login-name': option(text('NAME'), 'oidc', 'The user and the context to write into the kubeconfig.', {
    flag: 'name',
  }),
}
