/**
 * The server card, and the catalog that lists it: how a client finds this server before it connects (SEP-2127, a draft).
 *
 * The draft has moved its catalog to the one of AI Catalog, so both addresses are served. They are public and say nothing of a
 * workspace: a card is the same whether its workspace exists, and the catalog lists the default one alone. There is no card of
 * a session link, because its address is a secret.
 * `test/worker/front/server-card.test.ts` has the cases.
 *
 * @module
 */

import { hash } from 'node:crypto'
import { BATCH_PROTOCOL, LEGACY_PROTOCOLS, MODERN_PROTOCOL } from '#core/wire.ts'
import { notAllowed } from '../errors/respond.ts'
import { isReading, listsTag } from '../http.ts'
import { identityAt } from '../mcp/identity.ts'
import { isWorkspaceName } from '../workspace-name.ts'

/** The media type of a server card. */
export const CARD_MIME = 'application/mcp-server-card+json'

const CARD_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json'

/** The catalogs, with the version of their form and their media type. */
const CATALOGS: ReadonlyMap<string, readonly [version: string, type: string]> = new Map([
  ['/.well-known/mcp/catalog.json', ['draft', 'application/json']],
  ['/.well-known/ai-catalog.json', ['1.0', 'application/ai-catalog+json']],
])

/** The card of the default workspace, or of the one that its address names. */
const CARD_PATH = /^(?:\/w\/([^/]+))?\/mcp\/server-card$/

/** Longest namespace before `/edgewise`: a whole name has at most 200 characters (schema of server cards). */
const MAX_NAMESPACE = 180

/** Revisions that both eras of an endpoint speak; `server/discover` lists those of the modern era alone. */
const REVISIONS = [MODERN_PROTOCOL, ...LEGACY_PROTOCOLS.filter((one) => one >= BATCH_PROTOCOL)]

/** Whether a path is that of the catalog, or of the card of a workspace that there may be. */
export const isDiscovery = (pathname: string): boolean =>
  CATALOGS.has(pathname) || workspaceOfCard(pathname) !== null

/** The ends of these paths. Every tool call passes here, so its URL is not parsed. */
const MAY_BE_DISCOVERY = /\/(?:server-card|(?:ai-)?catalog\.json)(?:\?|$)/

/** Answers a request for the catalog or a card; null for every other request. */
export function serveDiscovery(request: Request): Response | null {
  if (!MAY_BE_DISCOVERY.test(request.url)) return null
  const { origin, hostname, pathname } = new URL(request.url)
  const [version, type] = CATALOGS.get(pathname) ?? []
  if (version !== undefined && type !== undefined)
    return publish(request, catalogAt(origin, hostname, version), type)
  const workspace = workspaceOfCard(pathname)
  return workspace === null
    ? null
    : publish(request, cardAt(origin, hostname, workspace), CARD_MIME)
}

/** The workspace of the card at a path, empty for the default one; null if there is no card. */
function workspaceOfCard(pathname: string): string | null {
  const [card, name = ''] = CARD_PATH.exec(pathname) ?? []
  return card !== undefined && (name === '' || isWorkspaceName(name)) ? name : null
}

function publish(request: Request, value: unknown, type: string): Response {
  if (!isReading(request)) return notAllowed('GET, HEAD')
  const body = JSON.stringify(value)
  const etag = `"${hash('sha256', body, 'base64url')}"`
  const headers = { 'content-type': type, etag, ...PUBLISHED }
  return listsTag(request.headers.get('if-none-match') ?? '', etag)
    ? new Response(null, { status: 304, headers })
    : new Response(body, { headers })
}

/** As the draft asks for it, in "CORS Requirements" and "Caching". */
const PUBLISHED = {
  'cache-control': 'public, max-age=3600',
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET',
  'access-control-allow-headers': 'Content-Type, If-None-Match',
  'access-control-expose-headers': 'ETag',
}

function catalogAt(origin: string, hostname: string, specVersion: string) {
  const { name, title: displayName } = identityAt(origin)
  const identifier = `urn:air:${publisherOf(hostname)}:mcp:${name}`
  const url = `${origin}/mcp/server-card`
  return { specVersion, entries: [{ identifier, displayName, type: CARD_MIME, url }] }
}

function cardAt(origin: string, hostname: string, workspace: string) {
  const { name, ...identity } = identityAt(origin)
  const place = workspace === '' ? '/mcp' : `/w/${workspace}/mcp`
  return {
    $schema: CARD_SCHEMA,
    name: `${namespaceOf(hostname, workspace)}/${name}`,
    ...identity,
    remotes: [
      {
        type: 'streamable-http',
        url: `${origin}${place}`,
        supportedProtocolVersions: REVISIONS,
      },
    ],
  }
}

/** The host in reverse order, as the name of a card has it, and the workspace unless it is the default one. */
function namespaceOf(hostname: string, workspace: string): string {
  const labels = publisherOf(hostname).split('.').toReversed()
  return [...labels, ...(workspace === '' ? [] : [workspace])].join('.').slice(0, MAX_NAMESPACE)
}

/** A host name as a part of a URN; an IPv6 address has colons and brackets, which mean something else there. */
const publisherOf = (hostname: string) => hostname.replaceAll(/[^a-z0-9.-]/g, '-')
