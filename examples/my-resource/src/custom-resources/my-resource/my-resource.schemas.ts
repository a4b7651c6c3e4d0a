// As the guide prints it, apart from import paths.
// biome-ignore-all format: the guide's
// biome-ignore-all assist/source/organizeImports: the guide's

import { z } from "zod";

const myResourceSpecSchema = z.object({
  // Required fields - these must be provided by users
  hostname: z.string(), // Base hostname for the application
  port: z.number().min(1).max(65535), // Container port (validated range)
  // Optional fields with defaults - provide sensible fallbacks
  replicas: z.number().min(1).default(1), // Number of pod replicas
  // Enums - restrict to specific values with defaults
  protocol: z.enum(["http", "https"]).default("https"),
  // Nested objects - for complex configuration
  database: z.object({
    host: z.string(), // Database hostname
    port: z.number(), // Database port
    name: z.string(), // Database name
  }).optional(), // Entire database config is optional
});

// Additional schemas for secrets, status, etc.
// Separate schemas help organize different data types
const myResourceSecretSchema = z.object({
  apiKey: z.string(), // API key for external services
  password: z.string(), // Database or service password
});

export { myResourceSecretSchema, myResourceSpecSchema };
