// As the guide prints it, apart from import paths.
// biome-ignore-all format: the guide's
// biome-ignore-all assist/source/organizeImports: the guide's

import { createCustomResourceDefinition } from "@homeostat/operator";
import { GROUP } from "../../group.ts";
import { MyResourceResource } from "./my-resource.resource.ts";
import { myResourceSpecSchema } from "./my-resource.schemas.ts";

const myResourceDefinition = createCustomResourceDefinition({
  group: GROUP, // Uses your operator's API group (homelab.mortenolsen.pro)
  version: "v1", // API version for this resource
  kind: "MyResource", // The Kubernetes kind name (PascalCase)
  names: {
    plural: "myresources", // Plural name for kubectl (lowercase)
    singular: "myresource", // Singular name for kubectl (lowercase)
  },
  spec: myResourceSpecSchema, // Zod schema for validation
  create: (options) => new MyResourceResource(options), // Factory function
});

export { myResourceDefinition };
