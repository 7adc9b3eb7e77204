/**
 * The whole identity of this server at one address, for `initialize`, `server/discover` and the server card.
 *
 * Other results carry only {@link SERVER_INFO}, because clients read the rest once. Icons and the website are at the address
 * that the client used: a server that people run themselves has no other. `test/worker/front/server-card.test.ts` compares
 * the three.
 *
 * @module
 */

import { DESCRIPTION, SERVER_INFO } from './server-info.ts'

/** The icons of the installed console, which are served to every caller. */
const ICONS = [
  ['192.png', 'image/png', '192x192'],
  ['512.png', 'image/png', '512x512'],
  ['icon.svg', 'image/svg+xml', 'any'],
] as const

/** Describes this server as it is reached at an origin; without URLs where the origin is unknown (null). */
export function identityAt(origin: string | null) {
  const about = { ...SERVER_INFO, description: DESCRIPTION }
  if (origin === null) return about
  const icons = ICONS.map(([name, mimeType, size]) => ({
    src: `${origin}/icons/${name}`,
    mimeType,
    sizes: [size],
  }))
  return { ...about, websiteUrl: `${origin}/`, icons }
}

/** Returns the origin of the beginning of links that a caller has; null without one. */
export const originOf = (base: string): string | null => URL.parse(base)?.origin ?? null
