// The code of a server, in one module: `up` imports it late, while the store opens in its thread.

export { makePki, readPki, readTokenKeys } from '@homeostat/apiserver/keys'
export { makeLogger } from '../log/logger.ts'
export { colonyAddOn } from './colony-add-on.ts'
export { startControlPlane } from './control-plane.ts'
