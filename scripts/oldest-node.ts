// Prints the path of the oldest Node that the packages support, which it installs if it is not there. Tests run it.

import { installedNode, oldestVersion } from './installed-node.ts'

console.log(await installedNode(oldestVersion()))
