// The entry `@homeostat/apiserver/keys`: the files with a server's authorities and keys of tokens, for programs that read or renew them
// without a server. It must load nothing of a server. Certificates are issued by `@homeostat/pki`.

export { makeJoinToken } from './authn/join-token.ts'
export { MEMBERS } from './authn/members-group.ts'
export { tokenKeyId } from './authn/token.ts'
export { type Authorities, type AuthorityFiles, makeNextAuthority } from './pki/authorities.ts'
export {
  makePki,
  makeTokenKey,
  type Pki,
  type PkiFiles,
  readPki,
  readTokenKeys,
  tokenKeysText,
} from './pki/pki.ts'
