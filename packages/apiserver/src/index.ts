export { makePki, type Pki, type PkiFiles, readPki } from './authn/pki.ts'
export { type ApiServer, type ApiServerOptions, startApiServer } from './server.ts'
