export { makePki, type Pki, type PkiFiles, readPki } from './authn/pki.ts'
export type { User } from './authn/user.ts'
export type { ApiExtension, ExtensionAnswer, ExtensionRequest } from './registry/api-extension.ts'
export { type ApiServer, type ApiServerOptions, startApiServer } from './server.ts'
