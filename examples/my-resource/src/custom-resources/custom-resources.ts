// As the guide prints it, apart from import paths.
// biome-ignore-all format: the guide's

import { myResourceDefinition } from "./my-resource/my-resource.ts";

const customResources = [
  // ... existing resources
  myResourceDefinition,
];

export { customResources };
