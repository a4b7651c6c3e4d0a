// The credentials of executors on disk: the file, joining with a bootstrap token. For Node alone.

export {
  credentialText,
  type ExecutorCredential,
  executorExtension,
  readCredential,
  type StoredCredential,
  writeCredential,
  writeToken,
} from './credential-file.ts'
export {
  type JoinCode,
  type Joined,
  type JoinOptions,
  joinCodeText,
  joinColony,
  readJoinCode,
} from './join-colony.ts'
export { type TokenClaims, tokenClaims } from './token-claims.ts'
