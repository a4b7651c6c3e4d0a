export { type ApiServer, type ApiServerOptions, startApiServer } from './server.ts'
