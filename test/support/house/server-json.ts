/**
 * The rules of two schemas of the field, written from their published forms: `server.json` of the registry (2025-12-11) and
 * the server card of SEP-2127 (v1, a draft). Unlike the schema of the registry, an unknown member is a fault here, because it
 * would be a misspelled one.
 *
 * @module
 */

import * as z from 'zod'

const URL_TEMPLATE = /^https?:\/\/[^\s]+$/

/** Exactly one slash between the namespace in reverse-DNS form and the name. */
const NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/

const icon = z.strictObject({
  src: z.url().max(255),
  mimeType: z.enum(['image/png', 'image/jpeg', 'image/svg+xml', 'image/webp']),
  sizes: z.array(z.string().regex(/^(\d+x\d+|any)$/)),
})

const variable = z.strictObject({
  description: z.string(),
  isRequired: z.boolean(),
  placeholder: z.string(),
})

const remote = z.strictObject({
  type: z.literal('streamable-http'),
  url: z.string().regex(URL_TEMPLATE),
  variables: z.record(z.string(), variable).optional(),
})

const common = {
  name: z.string().min(3).max(200).regex(NAME),
  // A range, such as 1.x, is refused.
  version: z
    .string()
    .max(255)
    .regex(/^\d+\.\d+\.\d+$/),
  description: z.string().min(1).max(100),
  title: z.string().min(1).max(100),
  websiteUrl: z.url().optional(),
  icons: z.array(icon).optional(),
}

/** `server.json`, as the registry takes it. */
export const serverJson = z.strictObject({
  $schema: z.literal(
    'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  ),
  ...common,
  remotes: z.array(remote).min(1),
})

/** A server card. */
export const serverCard = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json'),
  ...common,
  remotes: z
    .array(z.strictObject({ ...remote.shape, supportedProtocolVersions: z.array(z.string()) }))
    .length(1),
})
